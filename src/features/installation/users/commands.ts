import type { App } from '../../../app.ts'
import {
  type Command,
  CommandError,
  command,
  type Input,
  needed,
  STORE_OPTIONS,
  text,
} from '../../../command.ts'
import { isRole, ROLES } from './roles.ts'

const NAME_MAX = 120

const print = ({ id, email, sign_in_url }: { id: number; email: string; sign_in_url: string }) =>
  `User ${id}, ${email}. Sign in within an hour, once:\n${sign_in_url}`

export const userCommands = [
  command({
    name: 'users create',
    summary: 'Give somebody a role in a store, and print a link to sign in.',
    examples: [
      'tradepost users create --email ada@example.com',
      'tradepost users create --email sam@example.com --role staff --name Sam',
    ],
    options: [
      { flags: '--email <email>', description: 'the address that signs in', required: true },
      {
        flags: '--role <role>',
        description: `${ROLES.join(', ')}; default owner`,
        values: () => ROLES,
      },
      { flags: '--name <name>', description: 'the name that the team sees' },
      ...STORE_OPTIONS,
    ],
    async run(app, input) {
      const { storeNamed } = await import('../stores/index.ts')
      const { addUser } = await import('./add-user.ts')
      const store = await storeNamed(app, input)
      const email = await parseEmail(needed(input, 'email'))
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
    summary: 'Show who may sign in to the dashboard.',
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
    summary: 'Print a link with which a user signs in and sets a new password.',
    examples: ['tradepost users reset --email ada@example.com'],
    options: [
      { flags: '--email <email>', description: 'the address that signs in', required: true },
    ],
    async run(app, input) {
      const { selectUserByEmail } = await import('./queries/users.ts')
      const { resetUser } = await import('./reset-user.ts')
      const email = await parseEmail(needed(input, 'email'))
      const user = await selectUserByEmail(app.db, email)
      if (!user) throw new CommandError(`--email: no user has the address ${email}.`)
      return resetUser(app, user)
    },
    print,
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
    async attend({ ask, input, json, say }) {
      const link = (await ask(input)) as OwnerLink
      say(json ? JSON.stringify(link) : link.sign_in_url)
      // Scripts read the link; only a person wants the browser.
      if (json || input.print === true || !process.stdout.isTTY) return
      const { openBrowser } = await import('./open-browser.ts')
      if (!(await openBrowser(link.sign_in_url))) {
        say('This machine has no browser; open the link in another one. It signs in once.')
      }
    },
  } satisfies Command,
]

interface OwnerLink {
  sign_in_url: string
}

async function linkOfOwner(app: App, input: Input): Promise<OwnerLink> {
  const { storeNamed } = await import('../stores/index.ts')
  const { selectFirstOwner } = await import('./queries/users.ts')
  const { linkFor } = await import('./link-for.ts')
  const store = text(input, 'store') === undefined ? undefined : await storeNamed(app, input)
  const owner = await selectFirstOwner(app.db, store?.id)
  if (!owner) {
    throw new CommandError(
      'No store has an owner yet. Make one with: tradepost users create --email E --store HASH',
    )
  }
  return { sign_in_url: await linkFor(app, owner.user_id) }
}

async function parseEmail(text: string): Promise<string> {
  const { Email } = await import('../../../kernel/shapes.ts')
  const { success, data } = Email.safeParse(text)
  if (success) return data
  throw new CommandError(`--email: "${text}" is not an address such as name@example.com.`, 2)
}
