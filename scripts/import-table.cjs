// Which module may import which. .dependency-cruiser.cjs enforces this table, and docs/ARCHITECTURE.md draws it.

/** The modules of src/, and the modules that each may import. `shared` is src/app.ts, src/store-context.ts and src/command.ts. */
const MODULES = {
  kernel: [],
  db: ['kernel'],
  audit: ['db', 'kernel'],
  events: ['db', 'kernel'],
  config: ['kernel'],
  control: ['kernel'],
  network: ['kernel'],
  storage: ['kernel'],
  sender: ['network', 'kernel'],
  jobs: ['shared', 'db', 'kernel'],
  http: ['shared', 'audit', 'jobs', 'storage', 'db', 'kernel'],
  reference: ['http', 'kernel'],
  features: [
    'shared',
    'sender',
    'audit',
    'events',
    'jobs',
    'http',
    'config',
    'storage',
    'network',
    'db',
    'kernel',
  ],
  surfaces: [
    'shared',
    'reference',
    'features',
    'audit',
    'events',
    'http',
    'storage',
    'db',
    'kernel',
  ],
  process: [
    'shared',
    'surfaces',
    'features',
    'control',
    'config',
    'jobs',
    'http',
    'storage',
    'db',
    'events',
    'audit',
    'kernel',
  ],
}

/** The wings of src/features/, and the wings that each may import. */
const WINGS = {
  installation: [],
  licensing: ['installation'],
  webhooks: ['installation'],
  store: ['licensing', 'installation'],
}

module.exports = { MODULES, WINGS }
