"""Imports every module of a package: import-all.py PACKAGE"""

import importlib
import pkgutil
import sys

sys.path.insert(0, ".")
package = importlib.import_module(sys.argv[1])
modules = [name for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
for name in modules:
    importlib.import_module(name)
print(f"{len(modules)} modules")
