NAME: NAME.cpp
	c++ -O2 -std=c++17 -Wall -o NAME NAME.cpp
