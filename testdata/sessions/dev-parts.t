# One device with all that it depends on, and why one was not probed, against debugfs, sysfs, the console,
# and testdata/guests/board/parts.dts and parts_users.c, which say what was asked for.
guest: parts-arm64-6.1 parts-armhf-6.1
form: vmlinux

# The camera enables its clocks twice and once; reset-gpios is line 0 of ours, button-gpios line 5 of the PL061.
obit> dev camera
...
    DRIVER: parts-user
...
    DOMAIN: parts-video
...
~ ^ +CLOCKS: parts-gate \(enabled [34], prepared [34], 24000000 Hz\)$
            parts-strobe (enabled 1, prepared 1, 24000000 Hz)
...
~ ^ +GPIOS: reset: parts-lines 0 \(out, active-low, 'reset'\)$
            button: 9030000.pl061 5 (in, irq, 'button')
~ ^ +PINS: default \(now\): pins: function i2c0 on group bus; .* slew-rate=2$
            sleep: pins: function idle on group bus; pins: config of group bus: bias-pull-down=1
     IOMMU: 0 (parts-camera)
      SAID: parts-user camera: Adding to iommu group 0
...
? kind("device_detail")[0] | .iommu == ($said["iommu-groups"] | lines | map(select(endswith(" camera")) | split(" ") | "\(.[0]) (\(.[1]))"))[0]
? kind("device_detail")[0].clocks | map(split(" ")[0]) | sort == ($said.clk | lines | .[3:] | reduce .[] as $l ({out: []}; ($l | [scan("[^ ]+")]) as $w | (if ($w | length) > 2 then .c = $w[0] else . end) | if $w[-2] == "camera" then .out += [.c] else . end) | .out | sort)
? kind("device_detail")[0] | .status == ($said.power | lines | map(select(startswith("/devices/platform/camera ")) | split(" ")[1]))[0]

# /sys/class/devlink: "supplier consumer state"; on the second guest a regulator's own link is there too
obit> dev camera
? kind("device_detail")[0].suppliers | sort == ($said.devlinks | lines | map(split(" ") | select(.[1] == "camera") | .[0]) | sort)

obit> dev codec
? kind("device_detail")[0].consumers | sort == ($said.devlinks | lines | map(split(" ") | select(.[0] == "codec") | .[1]) | sort)

# A driver that gave up: parts_users.c has it fail with EIO. The log names the device of the first message, and
# says the name in the second.
obit> dev broken
...
       WHY: driver 'parts-broken' takes 'obit,broken' and is not bound: its probe failed, or it was unbound
...
      SAID: parts-broken broken: the chip does not answer
            parts-broken: probe of broken failed with error -5
...

# clocks = <&off>, whose node is disabled
obit> dev orphan
...
~ ^ +WHY: driver 'parts-user' takes 'obit,user' and is not bound
...
~ ^ +SAID: parts-user orphan: error -ENOENT: no clocks$
            parts-user: probe of orphan failed with error -2
...

# Nobody drives obit,nobody.
obit> dev nobody
...
    DRIVER: no driver
...
       WHY: no driver that is registered takes 'obit,nobody'
...
 CONSUMERS: antenna
...
? kind("device_detail")[0] | .driver == null and .reason == null

obit> dev /off
status: 1
stderr: ~ node '/off' has no device: its status is 'disabled'
(nothing)

# Who waits for whom: antenna for radio, radio for modem, whose driver says what it waits for.
obit> dev antenna
...
     NEEDS: radio (its own probe was put off, it needs modem: its own probe was put off)
            nobody (no driver)
...

obit> dev modem
? kind("device_detail")[0].reason == "parts-late: the modem's firmware is not there yet"

# Whoever is bound has no such reason, and whoever waits has another.
obit> dev codec
obit> dev radio
? kind("device_detail") | map(.why) == [null, null]
