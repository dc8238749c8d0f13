// The steps of `.ci/run` and of `npm run test:long`, which run in this order, one after the other.

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {[program: string, ...args: string[]]} command
 * @property {Record<string, string>} [env]
 * @property {[program: string, ...args: string[]]} [testProgram] Runs files of tests under the conditions of this step,
 *   if another program than scripts/test.mjs does so.
 */

/** @param {string} name @param {string} [command] @param {Record<string, string>} [env] @returns {Step} */
const step = (name, command = name, env = {}) => ({
  name,
  command: /** @type {[string, ...string[]]} */ (command.split(' ')),
  env,
})

/** The files of these tests in a browser. @param {string[]} names */
function pages(...names) {
  return names.map((name) => `test/browser/${name}.test.ts`)
}

const CHECKED_FILES = [
  step('table types are fresh', 'node scripts/print-tables.mjs --check'),
  step('webhook types are fresh', 'node scripts/print-webhook-types.mjs --check'),
  step('the client is fresh', 'node scripts/print-client.mjs --check'),
  step('the types of the dashboard are fresh', 'node scripts/print-dashboard-types.mjs --check'),
  step('the lists of the specification are true', 'node scripts/check-specification.mjs'),
]

/** The engine of Chromium without a window needs half the time of the processor. */
const HEADLESS = { CHROMIUM: '/usr/bin/chromium-headless-shell' }
const WHOLE = { WALKS: 'whole' }

/** The journeys through the dashboard and the reference, which run in a browser with a window too. */
const DASHBOARD_JOURNEYS = pages('dashboard-journeys', 'dashboard')
const JOURNEYS = [...DASHBOARD_JOURNEYS, ...pages('reference')]

/** The tests of programs that run before each change: what a kill, a stop, a start or a fault leaves behind. */
const PROGRAMS = [
  'src/db/embedded/crash',
  'test/crash/kill',
  'test/crash/payments',
  'test/faults/busy-machine',
  'test/faults/database',
  'test/faults/receivers',
  'test/process/drain',
  'test/process/early-signals',
  'test/process/fault.test',
  'test/process/first-sale',
  'test/process/locked-tables',
  'test/process/mail',
  'test/process/output',
  'test/process/readme',
  'test/process/ready-file',
  'test/process/redis-away',
  'test/process/terminal-commands',
].join(' ')

/** The pages that run before each change: the journeys, the keyboard, sessions, tabs and the most used forms. */
const PAGES = [
  ...DASHBOARD_JOURNEYS,
  ...pages(
    'dashboard-focus',
    'dashboard-keyboard',
    'dashboard-sell',
    'dashboard-session',
    'dashboard-tabs',
  ),
].join(' ')

/** Tests that do not depend on Node or on the form of the database, and run once. */
const ONCE = [
  'permissions',
  'tenancy',
  'audit',
  'dashboard',
  'worst-bodies',
  'largest-bodies',
  'read-only-fields',
].map((name) => `--exclude=test/contract/${name}.test.ts`)

/** Times at which calendars change, and zones with offsets that are no whole hour. */
const MOMENTS = ['2027-01-31 23:59:30', '2028-02-29 12:00:00']
const ZONES = ['Asia/Kathmandu', 'America/St_Johns']

/** @type {Step['command']} */
const NODE_24 = ['bash', 'scripts/test-node.sh', '24']
const NODE_24_FILES = [
  ...['src/kernel', 'src/db', 'src/http', 'src/config', 'src/features'],
  ...['sdk', 'test/contract'],
]

/** @param {string} time @returns {Step['command']} */
const testsAt = (time) => ['bash', 'scripts/test-at.sh', time]

/** @type {Record<string, Step[]>} */
export const STEPS = {
  ci: [
    step('npm run check'),
    step('npm test'),
    step('programs started, stopped, killed', `npm run test:system -- ${PROGRAMS}`),
    step('pages in a browser', `npm run test:browser -- ${PAGES}`, HEADLESS),
    ...CHECKED_FILES,
  ],
  long: [
    step('all tests, with whole walks', 'npm test', WHOLE),
    step('all programs started, stopped, killed', 'npm run test:system', WHOLE),
    step('100,000 steps of payments', 'npm test -- test/providers/payment-model.test.ts', {
      PAYMENT_STEPS: '100000',
    }),
    step('plans of long lists', 'npm run test:plans'),
    {
      name: 'units, features and contract on Node 24 and a PostgreSQL server, through PgBouncer',
      command: [...NODE_24, ...NODE_24_FILES, ...ONCE],
      env: { TEST_DATABASE: 'pgbouncer' },
      testProgram: NODE_24,
    },
    ...ZONES.map((zone) =>
      step(`npm run test:quick in ${zone}`, 'npm run test:quick', { TZ: zone }),
    ),
    ...MOMENTS.map((time) => ({
      name: `npm run test:quick at ${time}`,
      command: [...testsAt(time), '--config', 'vitest.quick.config.ts'],
      testProgram: testsAt(time),
    })),
    step('calls as the OpenAPI documents allow and forbid them', 'npm run fuzz:schema'),
    step('clients of four generators compile', 'npm run test:generators'),
    step('answers as Node reads them', 'npm run fuzz:http -- --inputs 100000'),
    step('one flush a commit', 'node scripts/count-fdatasync.mjs'),
    step('journeys in Chromium', `npm run test:browser -- ${JOURNEYS.join(' ')}`, WHOLE),
    step(
      'whole walks of the pages',
      `npm run test:browser -- ${JOURNEYS.map((file) => `--exclude=${file}`).join(' ')}`,
      { ...WHOLE, ...HEADLESS },
    ),
    step('the soak, in short', 'npm run soak -- --seconds 60 --database embedded'),
  ],
}
