import { storeRequest } from '../../api/action.ts'
import type { Settings } from '../../api/store.ts'
import { useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { storeSettings } from '../../text/store-settings.ts'
import { TestClock } from './test-clock.tsx'

export function Page() {
  const { livemode } = useStore()
  const isAllowed = useMayWrite('account')
  const read = useRead(
    ['account', 'settings'],
    async ({ api }) => (await api.account.getSettings()).settings,
  )
  return (
    <Frame title={storeSettings.title} lead={storeSettings.lead}>
      <Loaded read={read}>
        {(settings) => (
          <Section
            title={storeSettings.title}
            actions={
              isAllowed ? (
                <Change settings={settings} />
              ) : (
                <span className="quiet">{common.notAllowed}</span>
              )
            }
          >
            <Facts
              of={[
                [storeSettings.expiry, formatNumber(settings.order_expiry_minutes)],
                [storeSettings.autoReview, settings.auto_review_days ?? common.never],
                [storeSettings.returns, formatNumber(settings.return_window_days)],
                [storeSettings.zone, settings.time_zone],
                [storeSettings.support, settings.support_email],
                [
                  storeSettings.returnAddress,
                  settings.return_address &&
                    Object.values(settings.return_address)
                      .filter((part) => typeof part === 'string' && part !== '')
                      .join(', '),
                ],
              ]}
            />
          </Section>
        )}
      </Loaded>
      <Plan />
      {!livemode && isAllowed && <TestClock />}
    </Frame>
  )
}

const Change = ({ settings }: { settings: Settings }) => (
  <Action
    label={storeSettings.change}
    fields={[
      {
        name: 'order_expiry_minutes',
        label: storeSettings.expiry,
        type: 'number',
        required: true,
        value: settings.order_expiry_minutes,
      },
      {
        name: 'auto_review_days',
        label: storeSettings.autoReview,
        type: 'number',
        help: storeSettings.autoReviewHelp,
        value: settings.auto_review_days,
      },
      {
        name: 'return_window_days',
        label: storeSettings.returns,
        type: 'number',
        required: true,
        value: settings.return_window_days,
      },
      {
        name: 'time_zone',
        label: storeSettings.zone,
        required: true,
        value: settings.time_zone,
      },
      {
        name: 'support_email',
        label: storeSettings.support,
        type: 'email',
        value: settings.support_email,
      },
    ]}
    submit={common.save}
    request={(values) =>
      storeRequest('account', 'updateSettings', {
        order_expiry_minutes: Number(values.order_expiry_minutes),
        auto_review_days:
          values.auto_review_days === undefined ? null : Number(values.auto_review_days),
        return_window_days: Number(values.return_window_days),
        time_zone: String(values.time_zone ?? ''),
        support_email: values.support_email === undefined ? null : String(values.support_email),
      })
    }
  />
)

function Plan() {
  const read = useRead(['account'], async ({ api }) => (await api.account.get()).account)
  return (
    <Section title={storeSettings.facts}>
      <Loaded read={read}>
        {({ store, api }) => (
          <Facts
            of={[
              [storeSettings.id, <Copy key="id" text={store.id} />],
              [storeSettings.currency, store.currency],
              [storeSettings.plan, humanize(store.plan)],
              [storeSettings.used, formatNumber(api.monthly_used)],
              [
                storeSettings.quota,
                api.monthly_quota === null
                  ? storeSettings.noLimit
                  : formatNumber(api.monthly_quota),
              ],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
