NAME: NAME.rs
	rustc -O -o NAME NAME.rs
