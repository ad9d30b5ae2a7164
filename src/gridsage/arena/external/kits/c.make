NAME: NAME.c
	cc -O2 -Wall -o NAME NAME.c
