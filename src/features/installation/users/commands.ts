import type { App } from '../../../app.ts'
import {
  type Command,
  CommandError,
  command,
  type Input,
  requiredText,
  STORE_OPTIONS,
  text,
} from '../../../command.ts'
import { isRole, ROLES } from './roles.ts'
import type { Passkey } from './schema.ts'

const NAME_MAX = 120

const passkeyLine = ({ name, created_at, last_used_at }: Passkey) =>
  `The passkey ${name} of ${created_at.slice(0, 10)} still signs in; last used: ${last_used_at?.slice(0, 10) ?? 'never'}.`

const print = ({ id, email, sign_in_url }: { id: number; email: string; sign_in_url: string }) =>
  `User ${id}, ${email}. Sign in within an hour, once:\n${sign_in_url}`

export const userCommands = [
  command({
    name: 'users create',
    summary: 'Give a user a role in a store, and print a sign-in link.',
    examples: [
      'tradepost users create --email ada@example.com',
      'tradepost users create --email sam@example.com --role staff --name Sam',
    ],
    options: [
      { flags: '--email <email>', description: 'the email address of the user', required: true },
      {
        flags: '--role <role>',
        description: `${ROLES.join(', ')}; the default is owner`,
        values: () => ROLES,
      },
      { flags: '--name <name>', description: 'the name that the team sees' },
      ...STORE_OPTIONS,
    ],
    async run(app, input) {
      const { findNamedStore } = await import('../stores/index.ts')
      const { addUser } = await import('./add-user.ts')
      const store = await findNamedStore(app, input)
      const email = await parseEmail(requiredText(input, 'email'))
      const role = text(input, 'role') ?? 'owner'
      if (!isRole(role)) throw new CommandError(`--role: write one of ${ROLES.join(', ')}.`, 2)
      const name = (text(input, 'name') ?? email.replace(/@.*/, '')).trim()
      if (name.length > NAME_MAX) {
        throw new CommandError(`--name: write at most ${NAME_MAX} characters.`, 2)
      }
      return addUser(app, store, { email, name, role })
    },
    print,
  }),

  command({
    name: 'users list',
    summary: 'List the users of the dashboard.',
    examples: ['tradepost users list'],
    run: async ({ db }) => (await import('./queries/users.ts')).selectUsers(db),
    print: (users) =>
      users
        .map(({ id, email, stores }) => {
          const roles = new Set(stores.map(({ slug, role }) => `${slug} (${role})`))
          return `${id}  ${email}  ${[...roles].join(', ')}`
        })
        .join('\n') || 'No users.',
  }),

  command({
    name: 'users reset',
    summary:
      'End the sessions and delete the password of a user, and print a link that sets a new one.',
    examples: [
      'tradepost users reset --email ada@example.com',
      'tradepost users reset --email ada@example.com --keep-factors',
    ],
    options: [
      { flags: '--email <email>', description: 'the email address of the user', required: true },
      {
        flags: '--keep-factors',
        description: 'leave codes of an authenticator app on; without it, the link turns them off',
      },
    ],
    async run(app, input) {
      const { selectUserByEmail } = await import('./queries/users.ts')
      const { resetUser } = await import('./reset-user.ts')
      const email = await parseEmail(requiredText(input, 'email'))
      const user = await selectUserByEmail(app.db, email)
      if (!user) throw new CommandError(`--email: no user has the address ${email}.`)
      return resetUser(app, user, { keepFactors: input.keepFactors === true })
    },
    print: ({ passkeys, ...link }) =>
      [print(link), ...(passkeys.length > 0 ? ['', ...passkeys.map(passkeyLine)] : [])].join('\n'),
  }),

  command({
    name: 'dashboard',
    summary: 'Print a one-time link to the dashboard for the first owner.',
    examples: ['tradepost dashboard'],
    options: STORE_OPTIONS,
    run: linkOfOwner,
    print: ({ sign_in_url }) => sign_in_url,
  }),

  {
    name: 'open',
    summary: 'Open the dashboard in the browser, signed in as the first owner.',
    examples: ['tradepost open', 'tradepost open --print'],
    options: [...STORE_OPTIONS, { flags: '--print', description: 'print the link only' }],
    run: linkOfOwner,
    async runAtTerminal({ runOnce, input, json, printLine }) {
      const link = (await runOnce(input)) as OwnerLink
      printLine(json ? JSON.stringify(link) : link.sign_in_url)
      // A script that reads the link must not open a browser.
      if (json || input.print === true || !process.stdout.isTTY) return
      const { openBrowser } = await import('./open-browser.ts')
      if (!(await openBrowser(link.sign_in_url))) {
        printLine(
          'No browser was found on this machine. Open the link on another one; it works once.',
        )
      }
    },
  } satisfies Command,
]

interface OwnerLink {
  sign_in_url: string
}

async function linkOfOwner(app: App, input: Input): Promise<OwnerLink> {
  const { findNamedStore } = await import('../stores/index.ts')
  const { selectFirstOwner } = await import('./queries/users.ts')
  const { createSignInLink } = await import('./create-sign-in-link.ts')
  const namesStore = text(input, 'store') !== undefined || input.test === true
  const store = namesStore ? await findNamedStore(app, input) : undefined
  const { firstStartUrl } = await import('./first-start.ts')
  const firstStart = await firstStartUrl(app)
  if (firstStart !== undefined) return { sign_in_url: firstStart }
  const owner = await selectFirstOwner(app.db, store?.id)
  if (!owner) {
    throw new CommandError(
      'No store has an owner yet. Create one with: tradepost users create --email E --store HASH',
    )
  }
  const url = await createSignInLink(app, owner.user_id)
  return { sign_in_url: store ? `${url}&store=${store.hash}` : url }
}

async function parseEmail(option: string): Promise<string> {
  const { Email } = await import('../../../kernel/shapes.ts')
  const { success, data } = Email.safeParse(option)
  if (success) return data
  throw new CommandError(`--email: "${option}" is not an address such as name@example.com.`, 2)
}
