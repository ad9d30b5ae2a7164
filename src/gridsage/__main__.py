"""`python -m gridsage` is the `gridsage` command."""

from gridsage.cli import main

if __name__ == "__main__":
    main()
