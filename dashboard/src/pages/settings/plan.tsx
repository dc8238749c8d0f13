import { useRead } from '../../api/store.ts'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { storeSettings } from '../../text/store-settings.ts'
import { CallsOfMinute } from './calls-of-minute.tsx'

export const Page = () => (
  <Frame title={storeSettings.planTitle}>
    <PlanUsage />
    <CallsOfMinute />
  </Frame>
)

/** The plan, and the calls of this month next to their limit. */
function PlanUsage() {
  const read = useRead(['account'], async ({ api }) => (await api.account.get()).account)
  return (
    <Section title={storeSettings.month}>
      <Loaded read={read}>
        {({ store, api }) => (
          <Facts
            rows={[
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
