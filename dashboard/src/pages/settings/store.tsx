import { useQueryClient } from '@tanstack/react-query'
import { refreshAfter, storeRequest } from '../../api/action.ts'
import { type Settings, type StoreContext, useRead, useStore } from '../../api/store.ts'
import { addressFields, addressText, typedAddress } from '../../kit/address.ts'
import { useCurrency } from '../../kit/currency.tsx'
import { clearedAsNull, EditAction, initialValues } from '../../kit/edit-action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatDuration, formatNumber } from '../../kit/format.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { common } from '../../text/common.ts'
import { storeSettings } from '../../text/store-settings.ts'
import { TestClock } from './test-clock.tsx'

const MINUTE_MS = 60_000

export function Page() {
  const { id, livemode } = useStore()
  const currency = useCurrency()
  const isAllowed = useMayWrite('account')
  const read = useRead(['account', 'settings'], readSettings)
  return (
    <Frame title={storeSettings.title} lead={storeSettings.lead}>
      <Loaded read={read}>
        {(settings) => (
          <Section
            title={storeSettings.title}
            actions={
              isAllowed ? (
                <>
                  <Change settings={settings} />
                  <ChangeReturnAddress settings={settings} />
                </>
              ) : (
                <NotAllowed area="account" />
              )
            }
          >
            <Facts
              rows={[
                [storeSettings.id, <Copy key="id" text={id} />],
                [storeSettings.currency, currency ?? null],
                [storeSettings.expiry, minutesText(settings.order_expiry_minutes)],
                [storeSettings.autoReview, settings.auto_review_days ?? common.never],
                [storeSettings.returns, formatNumber(settings.return_window_days)],
                [storeSettings.zone, settings.time_zone],
                [storeSettings.support, settings.support_email],
                [
                  storeSettings.returnAddress,
                  settings.return_address && addressText(settings.return_address),
                ],
              ]}
            />
          </Section>
        )}
      </Loaded>
      {!livemode && isAllowed && <TestClock />}
    </Frame>
  )
}

/** Whole hours and days are added in words: `2,880 (2 days)`. */
const minutesText = (minutes: number): string =>
  minutes > 0 && minutes % 60 === 0
    ? `${formatNumber(minutes)} (${formatDuration(minutes * MINUTE_MS)})`
    : formatNumber(minutes)

const fieldsOf = (settings: Settings): readonly Field[] => [
  {
    name: 'order_expiry_minutes',
    label: storeSettings.expiry,
    type: 'number',
    min: 15,
    max: 10_080,
    required: true,
    value: settings.order_expiry_minutes,
  },
  {
    name: 'auto_review_days',
    label: storeSettings.autoReview,
    type: 'number',
    min: 1,
    max: 30,
    help: storeSettings.autoReviewHelp,
    value: settings.auto_review_days,
  },
  {
    name: 'return_window_days',
    label: storeSettings.returns,
    type: 'number',
    min: 0,
    max: 365,
    required: true,
    value: settings.return_window_days,
  },
  { name: 'time_zone', label: storeSettings.zone, required: true, value: settings.time_zone },
  {
    name: 'support_email',
    label: storeSettings.support,
    type: 'email',
    value: settings.support_email,
  },
]

const readSettings = async ({ api }: StoreContext): Promise<Settings> =>
  (await api.account.getSettings()).settings

function Change({ settings }: { settings: Settings }) {
  const queries = useQueryClient()
  return (
    <EditAction
      label={storeSettings.change}
      record={settings}
      read={readSettings}
      fields={fieldsOf}
      request={(changed) =>
        refreshAfter(
          storeRequest('account', 'updateSettings', clearedAsNull(changed)),
          // The stores of the user have the time zone in which the dashboard shows times.
          () => void queries.invalidateQueries({ queryKey: ['me'] }),
        )
      }
    />
  )
}

const returnAddressFields = ({ return_address }: Settings): readonly Field[] =>
  addressFields('return_address', return_address)

/** Changes the address for returned goods. If every field is empty, the address is removed. */
const ChangeReturnAddress = ({ settings }: { settings: Settings }) => (
  <EditAction
    label={storeSettings.changeReturnAddress}
    lead={<p>{storeSettings.returnAddressLead}</p>}
    record={settings}
    recordName="return address"
    read={readSettings}
    fields={returnAddressFields}
    // The API replaces the whole address, so its unchanged parts are sent again.
    request={(changed) =>
      storeRequest('account', 'updateSettings', {
        return_address: typedAddress('return_address', {
          ...initialValues(returnAddressFields(settings)),
          ...changed,
        }),
      })
    }
  />
)
