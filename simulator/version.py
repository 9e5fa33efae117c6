"""The engine's version: part of every world, trajectory and bundle, because a newer engine may make other worlds."""

ENGINE_VERSION = "0.1.0"
