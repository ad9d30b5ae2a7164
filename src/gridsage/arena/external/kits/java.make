NAME.class: NAME.java
	javac NAME.java
