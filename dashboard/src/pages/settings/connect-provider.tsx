import { useState } from 'react'
import { errorOf } from '../../../../sdk/client/errors.ts'
import { type Request, storeRequest } from '../../api/action.ts'
import { type PaymentProvider, TradepostError, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { fill } from '../../text/catalogue.ts'
import { payments } from '../../text/payments.ts'
import { providerName } from './payment-parts.ts'

const SECRET = { type: 'password', autoComplete: 'off' } as const

const stripeFields = (livemode: boolean): readonly Field[] => [
  {
    name: 'secret_key',
    label: payments.secretKey,
    help: livemode ? payments.secretKeyHelpLive : payments.secretKeyHelpTest,
    required: true,
    ...SECRET,
  },
  {
    name: 'webhook_secret',
    label: payments.webhookSecret,
    help: payments.webhookSecretHelp,
    required: true,
    ...SECRET,
  },
  {
    name: 'publishable_key',
    label: payments.publishableKey,
    help: payments.publishableKeyHelp,
    autoComplete: 'off',
  },
]

/** Spaces around a pasted key are removed. */
const trimmed = (values: FormValues) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() : value,
    ]),
  )

/** The placeholder of a key in the sample of the call. */
const placeholders = (values: FormValues) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => [name, '…']),
  )

/** The request with the typed keys, which its sample does not repeat. */
function connectStripe(values: FormValues): Request {
  const { body, client = '' } = storeRequest(
    'account',
    'connectPaymentProvider',
    'stripe',
    placeholders(values),
  )
  return {
    ...storeRequest('account', 'connectPaymentProvider', 'stripe', trimmed(values)),
    body,
    client,
  }
}

/** Connects Stripe, or replaces its keys. */
export function StripeKeys({ provider: { status } }: { provider: PaymentProvider }) {
  const { livemode } = useStore()
  const connect = fill(payments.connect, { provider: payments.stripe })
  const label = status === null ? connect : payments.changeKeys
  return (
    <Action
      label={label}
      isPrimary={status !== 'connected'}
      lead={<p>{status === null ? payments.connectLead : payments.changeKeysLead}</p>}
      fields={stripeFields(livemode)}
      submit={label}
      request={connectStripe}
      done={fill(payments.nowConnected, { provider: payments.stripe })}
    />
  )
}

export const ConnectTest = () => (
  <Action
    label={fill(payments.connect, { provider: payments.test })}
    lead={<p>{payments.connectTestLead}</p>}
    submit={fill(payments.connect, { provider: payments.test })}
    request={() => storeRequest('account', 'connectPaymentProvider', 'test', {})}
    done={fill(payments.nowConnected, { provider: payments.test })}
  />
)

const FORCE: Field = {
  name: 'force',
  label: payments.force,
  type: 'checkbox',
  help: payments.forceHelp,
}

/** Disconnects a provider. If a payment is open, the refusal offers to do it anyway. */
export function DisconnectProvider({ name }: { name: string }) {
  const [isRefused, setRefused] = useState(false)
  const title = fill(payments.disconnectTitle, { provider: providerName(name) })

  const disconnect = ({ force }: FormValues): Request => {
    const query = force === true ? { force } : {}
    const request = storeRequest('account', 'disconnectPaymentProvider', name, query)
    return {
      ...request,
      async send(store) {
        try {
          return await request.send(store)
        } catch (error) {
          if (!(error instanceof TradepostError && error.status === 409)) throw error
          setRefused(true)
          const errors = [{ field: FORCE.name, message: payments.isOpen }]
          throw errorOf({ ...error, message: payments.isOpen, details: { errors } })
        }
      },
    }
  }
  return (
    <Action
      label={payments.disconnect}
      title={title}
      isDanger
      lead={
        <>
          <p>{payments.disconnectLead}</p>
          <p>{payments.disconnectOpen}</p>
        </>
      }
      fields={isRefused ? [FORCE] : []}
      submit={title}
      request={disconnect}
      done={fill(payments.nowDisconnected, { provider: providerName(name) })}
    />
  )
}
