import { type PaymentProvider, useRead } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, State, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { payments } from '../../text/payments.ts'
import { ConnectTest, DisconnectProvider, StripeKeys } from './connect-provider.tsx'
import { PaymentCallbacks } from './payment-callbacks.tsx'
import { isReachable, methodText, providerName, STRIPE_EVENTS } from './payment-parts.ts'

export function Page() {
  const isAllowed = useMayWrite('account')
  const read = useRead(
    ['account', 'payment providers'],
    async ({ api }) => (await api.account.listPaymentProviders()).payment_providers,
  )
  return (
    <Frame
      title={payments.title}
      lead={payments.lead}
      actions={!isAllowed && <NotAllowed area="account" />}
    >
      <Loaded read={read}>
        {(providers) =>
          providers.map((provider) => (
            <ProviderSection key={provider.provider} {...{ provider, isAllowed }} />
          ))
        }
      </Loaded>
      <PaymentCallbacks isAllowed={isAllowed} />
    </Frame>
  )
}

const STATES = {
  connected: ['ok', payments.connected],
  failing: ['failed', payments.failing],
  off: ['closed', payments.notConnected],
} as const

interface ProviderProps {
  provider: PaymentProvider
  isAllowed: boolean
}

function ProviderSection({ provider, isAllowed }: ProviderProps) {
  const { provider: name, status, methods, account, last_checked_at, last_error } = provider
  const isStripe = name === 'stripe'
  const [tone, stateText] = STATES[status ?? 'off']
  return (
    <Section
      title={providerName(name)}
      actions={isAllowed && <ProviderActions provider={provider} />}
    >
      {!isStripe && <p className="secondary-text">{payments.testLead}</p>}
      <Facts
        rows={[
          [
            common.status,
            <State key="state" state={tone}>
              {stateText}
            </State>,
          ],
          [
            common.reason,
            status === 'failing' && last_error ? (
              <Reason key="reason" text={last_error} />
            ) : undefined,
          ],
          [payments.methods, methods.map(methodText).join(', ')],
          [payments.account, account ?? undefined],
          [
            payments.address,
            isStripe ? <Address key="address" url={provider.callback_url} /> : undefined,
          ],
          [payments.lastCallback, callbackText(provider)],
          [
            payments.lastChecked,
            last_checked_at ? <Time key="checked" at={last_checked_at} ago /> : undefined,
          ],
        ]}
      />
      {isStripe && <HowTo isOpen={status === null} />}
    </Section>
  )
}

const ProviderActions = ({ provider }: { provider: PaymentProvider }) => (
  <>
    {provider.provider === 'stripe' && <StripeKeys provider={provider} />}
    {provider.provider === 'test' && provider.status === null && <ConnectTest />}
    {provider.status !== null && <DisconnectProvider name={provider.provider} />}
  </>
)

const callbackText = ({ status, last_callback_at }: PaymentProvider) => {
  if (status === null) return undefined
  return last_callback_at === null ? common.never : <Time at={last_callback_at} ago />
}

/** The reason of the last refusal, and the step that ends it. */
const Reason = ({ text }: { text: string }) => (
  <>
    <p>{text}</p>
    <p>{payments.failingCure}</p>
  </>
)

const Address = ({ url }: { url: string }) => (
  <>
    <Copy text={url} label={payments.address} />
    {!isReachable(url) && <p>{payments.addressPrivate}</p>}
  </>
)

/** The steps at Stripe. They are needed once, so they are closed when the provider is connected. */
const HowTo = ({ isOpen }: { isOpen: boolean }) => (
  <details className="how-to" open={isOpen}>
    <summary>{payments.howTo}</summary>
    <ol>
      <li>{payments.step1}</li>
      <li>
        {payments.step2}
        <ul>
          {STRIPE_EVENTS.map((type) => (
            <li key={type}>
              <code>{type}</code>
            </li>
          ))}
        </ul>
      </li>
      <li>{payments.step3}</li>
      <li>{payments.step4}</li>
    </ol>
  </details>
)
