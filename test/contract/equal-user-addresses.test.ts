import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { userCommands } from '../../src/features/installation/users/index.ts'
import { HOUR_MS } from '../../src/kernel/time.ts'
import { ORIGIN, openBrowser, PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import { type Answer, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { mailsTo } from '../mails.ts'

// Two forms of an address are one user and one invitation (decision 448).

let tradepost: Tradepost
let owner: SignedIn
let invitations: string

beforeAll(async () => {
  tradepost = await openTradepost()
  invitations = `/stores/${tradepost.live.id}/invitations`
})
beforeEach(async () => {
  // Attempts of earlier tests no longer count.
  tradepost.forward(HOUR_MS)
  owner = await signedIn(tradepost)
})
afterAll(() => tradepost.close())

const DOMAINS = ['bücher.example', 'xn--bcher-kva.example'] as const
const codeOf = ({ status, json }: Answer) => json?.code ?? status

const run = (name: string, input: Json): Promise<Json> =>
  userCommands.find((item) => item.name === name)?.run(tradepost.app, input) as Promise<Json>
const createUser = (email: string) =>
  run('users create', { store: tradepost.live.id, role: 'staff', email })

/** Creates a user with a password, and returns the browser in which the user is signed in. */
async function signUp(email: string) {
  const { id, sign_in_url } = await createUser(email)
  const browser = openBrowser(tradepost)
  await browser.get(sign_in_url.replace(ORIGIN, ''))
  expect((await browser.post('/password', { password: PASSWORD })).status).toBe(200)
  return { ...browser, id }
}

const signIn = async (email: string, password = PASSWORD) =>
  codeOf(await openBrowser(tradepost).post('/sign-in', { email, password }))

let count = 0

describe.each([
  [DOMAINS[0], DOMAINS[1]],
  [DOMAINS[1], DOMAINS[0]],
])('an address at %s, and then at %s (decision 448)', (firstDomain, secondDomain) => {
  /** Returns both forms of a new address. */
  const newAddress = (): [first: string, second: string] => {
    count += 1
    return [`mara${count}@${firstDomain}`, `mara${count}@${secondDomain}`]
  }

  test('is one user, who signs in and resets the password with both', async () => {
    const [first, second] = newAddress()
    const { id } = await signUp(first)
    expect((await createUser(second)).id).toBe(id)
    expect(await signIn(first)).toBe(200)
    expect(await signIn(second)).toBe(200)
    expect((await run('users reset', { email: second })).id).toBe(id)
    expect(await signIn(first)).toBe('SIGN_IN_FAILED')
  })

  test('gets the mail of a reset, whichever form is sent', async () => {
    const [first, second] = newAddress()
    await signUp(first)
    await openBrowser(tradepost).post('/password-resets', { email: second })
    await expect.poll(() => mailsTo(tradepost, second)).toHaveLength(1)
    const [mail] = await mailsTo(tradepost, second)
    const token = /token=([\w-]+)/.exec(mail.text)?.[1]
    const password = 'a new long one'
    const browser = openBrowser(tradepost)
    expect(codeOf(await browser.post('/password-resets/confirm', { token, password }))).toBe(200)
    expect(await signIn(first, password)).toBe(200)
  })

  test('has one limit of wrong passwords', async () => {
    const [first, second] = newAddress()
    await signUp(first)
    for (let n = 0; n < 10; n++)
      expect(await signIn(n % 2 === 0 ? first : second, 'wrong')).toBe('SIGN_IN_FAILED')
    expect(await signIn(first)).toBe('RATE_LIMITED')
    expect(await signIn(second)).toBe('RATE_LIMITED')
  })

  test('is refused as a password and as the new address of anybody', async () => {
    const [first, second] = newAddress()
    const user = await signUp(first)
    const change = { password: second, current_password: PASSWORD }
    expect((await user.post('/password', change)).json.details.field).toBe('password')
    for (const browser of [user, owner]) {
      const { status, json } = await browser.post('/email-changes', { email: second })
      expect([status, json.details.field]).toEqual([422, 'email'])
    }
  })

  test('is taken when the link to change to its other form is used', async () => {
    const [first, second] = newAddress()
    const { json } = await owner.post('/email-changes', { email: second })
    await signUp(first)
    const token = new URL(json.url).searchParams.get('email_token')
    const answer = await owner.post('/email-changes/confirm', { token })
    expect([answer.status, answer.json.details.field]).toEqual([422, 'email'])
  })

  test('has one invitation, five in an hour, and none as a member', async () => {
    const [first, second] = newAddress()
    const invite = (email: string) => owner.post(invitations, { email, role: 'staff' })
    for (let n = 0; n < 5; n++) expect(codeOf(await invite([first, second][n % 2] ?? ''))).toBe(201)
    expect(codeOf(await invite(second))).toBe('RATE_LIMITED')
    const { json } = await owner.get(invitations)
    const emails = json.invitations.map((item: Json) => item.email)
    expect(emails.filter((email: string) => [first, second].includes(email))).toEqual([first])
    tradepost.forward(HOUR_MS)
    owner = await signedIn(tradepost)
    const { url } = (await invite(second)).json
    await signUp(first)
    expect((await invite(second)).json.details.field).toBe('email')
    const token = new URL(url).searchParams.get('token')
    const found = await openBrowser(tradepost).post('/invitations/find', { token })
    expect(found.json.has_account).toBe(true)
  })
})
