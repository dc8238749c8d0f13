import { z } from 'zod'
import { invalid } from '../../../../kernel/errors.ts'
import type { StoreContext } from '../../../../store-context.ts'
import type { Connection, ReadBody } from '../provider.ts'
import { askStripe, openStripe, refusalOf } from './client.ts'
import { readAnswer } from './read-answer.ts'

const LENGTH_MAX = 255
const Secret = (form: RegExp, message: string) =>
  z.string().max(LENGTH_MAX, `Write at most ${LENGTH_MAX} characters.`).regex(form, message)

const StripeCredentials = z.strictObject({
  secret_key: Secret(
    /^[sr]k_(live|test)_\w+$/,
    'Write a secret key of Stripe, which begins with sk_test_ or sk_live_, or a restricted key.',
  ),
  webhook_secret: Secret(
    /^whsec_[\w+/=-]+$/,
    'Write the signing secret of the webhook endpoint at Stripe, which begins with whsec_.',
  ),
  publishable_key: Secret(
    /^pk_(live|test)_\w+$/,
    'Write the publishable key of Stripe, which begins with pk_test_ or pk_live_.',
  ).optional(),
})

const Account = z.object({
  id: z.string(),
  business_profile: z.object({ name: z.string().nullish() }).nullish(),
  settings: z.object({ dashboard: z.object({ display_name: z.string().nullish() }) }).nullish(),
})

/** Asks Stripe for the account of a key. */
export async function checkStripeCredentials(
  context: StoreContext,
  read: ReadBody,
): Promise<Connection> {
  const { publishable_key, ...secrets } = read(StripeCredentials)
  checkMode(context, 'secret_key', secrets.secret_key)
  if (publishable_key) checkMode(context, 'publishable_key', publishable_key)
  const answer = await askStripe(await openStripe(context, secrets.secret_key), async (stripe) =>
    readAnswer(Account, await stripe.accounts.retrieveCurrent()),
  )
  if (!('value' in answer)) {
    if (answer.kind === 'unauthorized' || answer.kind === 'refused') throw refusedKey()
    throw refusalOf(answer)
  }
  const { id, settings, business_profile } = answer.value
  const account = settings?.dashboard.display_name || business_profile?.name || id
  return { account, credentials: { ...secrets, ...(publishable_key && { publishable_key }) } }
}

function checkMode({ store }: StoreContext, field: string, key: string): void {
  const isLive = key.includes('k_live_')
  if (isLive === store.livemode) return
  const [mode, side] = isLive ? ['live', 'test'] : ['test', 'live']
  throw invalid(field, `This is a ${mode} key, and this is the ${side} side. Use a ${side} key.`)
}

const refusedKey = () =>
  invalid(
    'secret_key',
    'Stripe refused this key. A restricted key must be able to read accounts, charges and disputes, and to write Checkout Sessions and refunds.',
  )
