# Characters. Answers are crash 8.0.2's, but where it is wrong: its table has ' and ` in each other's places, and - and _.
guest: amd64-6.1-elf
form: vmlinux

obit> ascii 62696c2f7273752f 0x6a6973
62696c2f7273752f: /usr/lib
00000000006a6973: sij<NUL><NUL><NUL><NUL><NUL>

# ascii(7)
obit> ascii
      0    1    2    3    4    5    6    7
0 |  NUL  DLE   SP    0    @    P    `    p
...
7 |  BEL  ETB    '    7    G    W    g    w
...
F |   SI   US    /    ?    O    _    o  DEL
