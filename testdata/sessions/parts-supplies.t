# Regulators with consumers, against regulator_summary. Debian's kernel for arm64 clouds has none.
guest: parts-armhf-6.1
form: vmlinux

# "name use open bypass opmode voltage current min max" in millivolts; a level is three blanks.
obit> regulator
~ ^NAME +USES +OPENS +MIN UV +MAX UV +SUPPLY +USERS$
~ ^regulator-dummy +1 +0 +0 +0 +- +-$
~ ^parts-battery +2 +1 +5000000 +5000000 +- +camera-vbat$
~ ^parts-buck1 +1 +1 +800000 +3300000 +- +parts-ldo1$
~ ^parts-ldo1 +2 +2 +1200000 +2800000 +parts-buck1 +display-power, camera-vdd$
? kind("regulator") | map("\(.name) \(.uses) \(.opens) \(.bypass) \(.min_uv / 1000)mV \(.max_uv / 1000)mV") | sort == ($said.regulator | lines | .[2:] | map([scan("[^ ]+")] | select(length > 7) | "\(.[0]) \(.[1]) \(.[2]) \(.[3]) \(.[7]) \(.[8])") | sort)

# Below each its consumers: "device-supply enabled load min max"
obit> regulator
? kind("regulator") | map(.name as $r | (.consumers // [])[] | select(.feeds == null) | "\($r): \(.device)-\(.supply) \(.enabled) \(.load_ua / 1000)mA \(.min_uv / 1000)mV \(.max_uv / 1000)mV") | sort == ($said.regulator | lines | .[2:] | reduce .[] as $l ({out: []}; ($l | [scan("[^ ]+")]) as $w | if ($w | length) > 7 then .r = $w[0] else .out += ["\(.r): \($w | join(" "))"] end) | .out | sort)

obit> regulator
? kind("regulator") | map(select(.supply) | "\(.name) \(.supply)") == ["parts-ldo1 parts-buck1"]
? kind("regulator") | map(select(.boot_on) | .name) == ["parts-buck1"]
? kind("regulator") | map(select(.always_on) | .name) | index("parts-battery") != null
