/** The client program of the demo shop, and the records that it reads. */

const HOUR_S = 3_600

/** Heartbeats are rare, so that the newest sessions run for some hours after the shop was created. */
export const APP = {
  name: 'Lumen',
  latest_version: '3.0.0',
  download_url: 'https://lumen.example.com/download',
  heartbeat_seconds: 2 * HOUR_S,
  grace_seconds: 4 * HOUR_S,
  session_ttl_seconds: 12 * HOUR_S,
  report_rules: { debugger: 'log', modified_file: 'ban_device' },
}

export const LATEST_VERSIONS = ['3.1.0', '3.2.0'] as const

export const STRINGS = [
  {
    name: 'update-feed',
    value: 'https://lumen.example.com/updates/stable.json',
    description: 'The address at which the program looks for updates.',
  },
  {
    name: 'map-service-token',
    value: 'demo-token-without-access',
    description: 'The token of the map in the travel album.',
  },
] as const

/** The key of the setting that announces a new version. */
export const NEWS_KEY = 'news'

export const SETTINGS = [
  {
    key: 'max_export_width',
    type: 'integer',
    value: 12_000,
    default_value: 8_000,
    constraints: { min: 1_000, max: 32_000 },
    description: 'The greatest width of an exported picture, in pixels.',
  },
  {
    key: NEWS_KEY,
    type: 'string',
    value: 'Welcome to Lumen.',
    access: 'session',
    description: 'The line at the bottom of the start window.',
  },
  {
    key: 'winter_theme',
    type: 'boolean',
    value: false,
    description: 'Shows snow on the start window.',
  },
] as const

export const PRESETS = {
  name: 'presets.json',
  content: `${JSON.stringify({ presets: ['Dusk', 'Harbour', 'Film 400', 'Night city'] }, null, 2)}\n`,
}
