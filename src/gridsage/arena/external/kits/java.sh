#!/bin/sh
# A bare JVM reserves four gigabytes of address space; a player has one.
exec java -Xmx256m -XX:CompressedClassSpaceSize=64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")" NAME
