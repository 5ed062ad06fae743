# The history of what was typed at the prompt: in a batch there is none.
guest: none

obit> h
no line was typed before
