"""Small boards that several tests of the page play on."""

ONE_ROBOT = """mission: red circle
+---+---+---+
|R          |
+   +   +   +
|           |
+   +   +   +
|         rc|
+---+---+---+
"""
