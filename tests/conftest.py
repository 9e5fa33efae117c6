"""Settings that hold for every test."""

from hypothesis import HealthCheck, settings

# A busy machine is slow, not wrong: no example fails for its duration.
settings.register_profile("worldwright", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("worldwright")
