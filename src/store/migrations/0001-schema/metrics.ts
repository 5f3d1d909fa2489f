/** Samples, blocks of older samples, and the health derived from them. */
export const metricTables: readonly string[] = [
  `CREATE TABLE sample (
      server_id TEXT NOT NULL REFERENCES server (id), sampled_at BIGINT NOT NULL, received_at BIGINT NOT NULL,
      tps DOUBLE PRECISION, mspt DOUBLE PRECISION, player_count BIGINT, entity_count BIGINT, loaded_chunks BIGINT,
      cpu_cores BIGINT, tile_entities BIGINT, ram_used_mb DOUBLE PRECISION, ram_max_mb BIGINT,
      cpu_usage DOUBLE PRECISION, cpu_system DOUBLE PRECISION, worst_tick_ms DOUBLE PRECISION,
      mspt_p95 DOUBLE PRECISION, ticks_over_50ms BIGINT, lag_seconds DOUBLE PRECISION, heap_after_gc_mb BIGINT,
      rss_mb BIGINT, container_limit_mb BIGINT, ping_ms DOUBLE PRECISION, gc_stw_ms DOUBLE PRECISION,
      region_count BIGINT, tps_region_avg DOUBLE PRECISION, mspt_region_avg DOUBLE PRECISION, regions_omitted BIGINT,
      detail TEXT, PRIMARY KEY (server_id, sampled_at)) {{clustered}}`,

  // Not partitioned by month on PostgreSQL: the running service changes no schema, so it could not create
  // months; and plans keep different numbers of days, so a month is past all of them only after a year.
  `CREATE TABLE sample_block (
      server_id TEXT NOT NULL REFERENCES server (id), day BIGINT NOT NULL, first_at BIGINT NOT NULL,
      last_at BIGINT NOT NULL, points BIGINT NOT NULL, data {{bytes}} NOT NULL, PRIMARY KEY (server_id, day))`,

  `CREATE TABLE server_health (
      server_id TEXT PRIMARY KEY REFERENCES server (id), verdict TEXT NOT NULL, since BIGINT, reasons TEXT NOT NULL,
      headline TEXT NOT NULL, evaluated_at BIGINT NOT NULL, verdict_from BIGINT NOT NULL, announced TEXT NOT NULL)`,

  `CREATE TABLE server_baseline (
      server_id TEXT PRIMARY KEY REFERENCES server (id), day BIGINT NOT NULL, baseline TEXT NOT NULL,
      measured TEXT NOT NULL, slow_state TEXT, counts TEXT NOT NULL, heap_lows TEXT)`,

  `CREATE TABLE load_day (
      server_id TEXT NOT NULL REFERENCES server (id), day BIGINT NOT NULL, buckets TEXT NOT NULL,
      PRIMARY KEY (server_id, day))`,
];
