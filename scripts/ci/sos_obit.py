# SPDX-License-Identifier: GPL-3.0-or-later
# A plugin for sos: what obit said of crashes that were saved goes into the report, and of those that nobody asked about
# their list. It copies no dump.
#
#   install -m 644 scripts/ci/sos_obit.py "$(python3 -c 'import sos.report.plugins as p; print(p.__path__[0])')/obit.py"
from sos.report.plugins import DebianPlugin, IndependentPlugin, Plugin, RedHatPlugin, UbuntuPlugin


class Obit(Plugin, RedHatPlugin, DebianPlugin, UbuntuPlugin, IndependentPlugin):

    short_desc = "what killed the kernel, of crashes that were saved"
    plugin_name = "obit"
    profiles = ("system", "debug", "kernel")
    files = ("/usr/bin/obit", "/usr/local/bin/obit")
    packages = ("obit",)

    def setup(self):
        self.add_copy_spec([
            "/var/crash/*/obit-triage.*",
            "/var/crash/obit-triage.*",
            "/var/lib/obit/pstore/*",
        ])
        # It lists what died here; that nothing did, it says with exit status 5.
        self.add_cmd_output("obit --json --no-pager", timeout=120, suggest_filename="obit_crashes.json")
        self.add_cmd_output("obit --version")
