// The allowed imports between modules. .dependency-cruiser.cjs enforces them, and docs/ARCHITECTURE.md draws them.

/** The modules of src/, and the modules that each may import. `shared` means src/app.ts, src/store-context.ts and src/command.ts. */
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

/** The layers of dashboard/src/, and the layers that each may import. */
const DASHBOARD = {
  text: [],
  api: ['text'],
  kit: ['api', 'text'],
  pages: ['kit', 'api', 'text'],
  app: ['pages', 'kit', 'api', 'text'],
}

module.exports = { MODULES, WINGS, DASHBOARD }
