import type { ReactNode } from 'react'
import type { OwnAnswer, WebhookHealth } from '../../api/own.ts'
import type { ListedWebhook, Webhook } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { formatDateTime, formatNumber } from '../../kit/format.ts'
import { Facts, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { useStoreAhead } from '../../kit/store-clock.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { HourStrip } from './hour-strip.tsx'
import { addressText, SwitchAction, weekOf } from './webhook-parts.tsx'

/** A store has at most 20 endpoints. */
const ENDPOINTS_MAX = 100

/** The health of an endpoint, and when it is turned off if nothing succeeds. */
export function Health({ of, isAllowed }: { of: Webhook; isAllowed: boolean }) {
  const read = useRead(['webhooks', of.id, 'health'], async ({ api, own }) => {
    const [{ endpoints }, page, { from, endpoints: hours }] = await Promise.all([
      own<OwnAnswer<'webhooks.health'>>('GET', '/webhook-health'),
      api.webhooks.list({ limit: ENDPOINTS_MAX }),
      own<OwnAnswer<'webhooks.hours'>>('GET', '/webhook-hours'),
    ])
    return {
      health: endpoints.find(({ id }) => id === of.id),
      listed: page.webhooks.find(({ id }) => id === of.id),
      hours: hours.find(({ id }) => id === of.id),
      from,
    }
  })
  return (
    <Loaded read={read} rows={4}>
      {({ health, listed, hours, from }) => (
        <Section title={webhooks.health} actions={<HealthStamp of={of} health={health} />}>
          {!of.enabled && <WhyOff of={of} health={health} />}
          {of.enabled && health && <Forecast of={health} />}
          <HealthFacts health={health} listed={listed} isOn={of.enabled} />
          {hours && <HourStrip label={addressText(of.url)} from={from} of={hours} />}
          {!of.enabled && isAllowed && <SwitchAction of={of} />}
        </Section>
      )}
    </Loaded>
  )
}

interface HealthProps {
  of: Webhook
  health: WebhookHealth | undefined
}

function HealthStamp({ of, health }: HealthProps) {
  if (!of.enabled) return <Stamp state="disabled">{webhooks.offStamp}</Stamp>
  if (!health) return null
  return health.failures_in_row === 0 ? (
    <Stamp state="ok">{webhooks.healthyStamp}</Stamp>
  ) : (
    <Stamp state="retrying">{webhooks.failingStamp}</Stamp>
  )
}

function WhyOff({ of, health }: HealthProps) {
  const at = formatDateTime(of.disabled_at ?? of.updated_at)
  const n = formatNumber(health?.failures_in_row ?? 0)
  return (
    <>
      <p>
        {of.disabled_reason === 'failures'
          ? fill(webhooks.whyFailures, { at, n })
          : fill(webhooks.whyManual, { at })}
      </p>
      <p>{webhooks.whileOff}</p>
    </>
  )
}

function Forecast({ of }: { of: WebhookHealth }) {
  const { failures_in_row, last_success_at, turns_off_at } = of
  if (failures_in_row === 0) {
    return (
      <>
        <p>{last_success_at === null ? webhooks.nothingSent : webhooks.isHealthy}</p>
        <FailureMeter of={of} />
      </>
    )
  }
  return (
    <>
      <p>{webhooks.isFailing}</p>
      <FailureMeter of={of} />
      <p>
        {turns_off_at === null
          ? webhooks.noPlannedTurnOff
          : fill(webhooks.plannedTurnOff, { at: formatDateTime(turns_off_at) })}
      </p>
    </>
  )
}

/** The failures in a row, out of as many as turn the endpoint off. The text next to it says the same. */
function FailureMeter({
  of: { failures_in_row: count, failures_left: left },
}: {
  of: WebhookHealth
}) {
  // After a recent success the count goes on beyond the limit.
  const limit = count + left
  const numbers = { n: formatNumber(count), limit: formatNumber(limit) }
  const text = fill(left === 0 ? webhooks.meterFull : webhooks.meter, numbers)
  return (
    <p className="failure-meter">
      <meter
        aria-label={webhooks.failuresInRow}
        aria-valuetext={text}
        min={0}
        max={limit}
        value={count}
      />
      <strong>{text}</strong>
    </p>
  )
}

interface HealthFactsProps {
  health: WebhookHealth | undefined
  listed: ListedWebhook | undefined
  isOn: boolean
}

function HealthFacts({ health, listed, isOn }: HealthFactsProps) {
  const isFailing = isOn && health !== undefined && health.failures_in_row > 0
  return (
    <Facts
      of={[
        [webhooks.earliest, isFailing ? <Earliest key="earliest" of={health} /> : undefined],
        [webhooks.lastSuccess, health && lastSuccessOf(health)],
        [webhooks.week, listed && weekOf(listed)],
      ]}
    />
  )
}

const lastSuccessOf = ({ last_success_at: at }: WebhookHealth): ReactNode =>
  at === null ? (
    common.never
  ) : (
    <>
      <Time at={at} ago /> <span className="quiet">({formatDateTime(at)})</span>
    </>
  )

/** The failures that are left, and the moment before which none turns the endpoint off. */
function Earliest({ of: { failures_left: left, not_before } }: { of: WebhookHealth }) {
  const ahead_ms = useStoreAhead()
  const failures =
    left > 1 ? fill(webhooks.moreFailures, { n: formatNumber(left) }) : webhooks.nextFailure
  if (not_before === null || Date.parse(not_before) <= Date.now() + ahead_ms) return failures
  return fill(webhooks.notBefore, { failures, at: formatDateTime(not_before) })
}
