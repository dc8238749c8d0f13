import type { ReactNode } from 'react'
import type { WebhookHealth } from '../../api/dashboard.ts'
import type { Webhook } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { formatDateTime, formatNumber } from '../../kit/format.ts'
import { Facts, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { useStoreClockLead } from '../../kit/store-clock.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { webhooks } from '../../text/webhooks.ts'
import { HourStrip } from './hour-strip.tsx'
import { addressText, SwitchAction, weekText } from './webhook-parts.tsx'

/** The size of a page that has all endpoints of a store, which are 20 at most. */
const PAGE_SIZE = 100

/** The health of an endpoint, and the time at which it is turned off if no attempt succeeds. */
export function Health({ webhook, isAllowed }: { webhook: Webhook; isAllowed: boolean }) {
  const read = useRead(['webhooks', webhook.id, 'health'], async ({ api, readDashboard }) => {
    const [{ endpoints }, page, { from, endpoints: hours }] = await Promise.all([
      readDashboard<'webhooks.health'>('/webhook-health'),
      api.webhooks.list({ limit: PAGE_SIZE }),
      readDashboard<'webhooks.hours'>('/webhook-hours'),
    ])
    return {
      health: endpoints.find(({ id }) => id === webhook.id),
      listedWebhook: page.webhooks.find(({ id }) => id === webhook.id),
      hours: hours.find(({ id }) => id === webhook.id),
      from,
    }
  })
  return (
    <Loaded read={read} rows={4}>
      {({ health, listedWebhook, hours, from }) => (
        <Section
          title={webhooks.health}
          actions={<HealthStamp webhook={webhook} health={health} />}
        >
          {!webhook.enabled && <TurnOffReason webhook={webhook} health={health} />}
          {webhook.enabled && health && <Forecast health={health} />}
          <HealthFacts health={health} isOn={webhook.enabled} />
          {hours && listedWebhook && (
            <HourStrip
              label={addressText(webhook.url)}
              from={from}
              counts={hours}
              summary={`${webhooks.week}: ${weekText(listedWebhook)}`}
            />
          )}
          {!webhook.enabled && isAllowed && <SwitchAction webhook={webhook} />}
        </Section>
      )}
    </Loaded>
  )
}

interface HealthProps {
  webhook: Webhook
  health: WebhookHealth | undefined
}

function HealthStamp({ webhook, health }: HealthProps) {
  if (!webhook.enabled) return <Stamp state="disabled">{webhooks.offStamp}</Stamp>
  if (!health) return null
  if (health.failures_in_row > 0) return <Stamp state="retrying">{webhooks.failingStamp}</Stamp>
  return health.last_success_at === null ? (
    <Stamp state="disabled">{webhooks.unusedStamp}</Stamp>
  ) : (
    <Stamp state="ok">{webhooks.healthyStamp}</Stamp>
  )
}

function TurnOffReason({ webhook, health }: HealthProps) {
  const at = formatDateTime(webhook.disabled_at ?? webhook.updated_at)
  const n = formatNumber(health?.failures_in_row ?? 0)
  return (
    <>
      <p>
        {webhook.disabled_reason === 'failures'
          ? fill(webhooks.whyFailures, { at, n })
          : fill(webhooks.whyManual, { at })}
      </p>
      <p>{webhooks.whileOff}</p>
    </>
  )
}

function Forecast({ health }: { health: WebhookHealth }) {
  const { failures_in_row, last_success_at, turns_off_at } = health
  if (failures_in_row === 0) {
    return (
      <>
        <p>{last_success_at === null ? webhooks.nothingSent : webhooks.isHealthy}</p>
        <FailureMeter health={health} />
      </>
    )
  }
  return (
    <>
      <p>{webhooks.isFailing}</p>
      <FailureMeter health={health} />
      <p>
        {turns_off_at === null
          ? webhooks.noPlannedTurnOff
          : fill(webhooks.plannedTurnOff, { at: formatDateTime(turns_off_at) })}
      </p>
    </>
  )
}

/**
 * The failures in a row, compared with the limit that turns the endpoint off. The text next to the
 * meter says the same.
 */
function FailureMeter({
  health: { failures_in_row: count, failures_left: left },
}: {
  health: WebhookHealth
}) {
  // After a recent success the count can exceed the limit.
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
  isOn: boolean
}

function HealthFacts({ health, isOn }: HealthFactsProps) {
  const isFailing = isOn && health !== undefined && health.failures_in_row > 0
  return (
    <Facts
      rows={[
        [
          webhooks.earliest,
          isFailing ? <EarliestTurnOff key="earliest" health={health} /> : undefined,
        ],
        [webhooks.lastSuccess, health && lastSuccessOf(health)],
      ]}
    />
  )
}

const lastSuccessOf = ({ last_success_at: at }: WebhookHealth): ReactNode =>
  at === null ? (
    common.never
  ) : (
    <>
      <Time at={at} ago /> <span className="secondary-text">({formatDateTime(at)})</span>
    </>
  )

/** The number of failures left, and the earliest time at which the endpoint is turned off. */
function EarliestTurnOff({
  health: { failures_left: left, not_before },
}: {
  health: WebhookHealth
}) {
  const clockLead_ms = useStoreClockLead()
  const failures =
    left > 1 ? fill(webhooks.moreFailures, { n: formatNumber(left) }) : webhooks.nextFailure
  if (not_before === null || Date.parse(not_before) <= Date.now() + clockLead_ms) return failures
  return fill(webhooks.notBefore, { failures, at: formatDateTime(not_before) })
}
