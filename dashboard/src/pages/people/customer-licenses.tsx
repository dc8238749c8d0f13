import type { ListedLicenseKey } from '../../api/security.ts'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { CustomerTab } from './customer-frame.tsx'

const COLUMNS: readonly Column<ListedLicenseKey>[] = [
  {
    label: customers.license,
    show: ({ key_preview }) => <code>…{key_preview}</code>,
    text: ({ key_preview }) => `…${key_preview}`,
  },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: common.created,
    show: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
]

export const Page = () => (
  <CustomerTab>
    {({ id, email }) => (
      <List
        queryKey={['licenseKeys', 'of customer', String(id)]}
        label={customers.licenses}
        columns={COLUMNS}
        keyOf={(key) => key.id}
        hrefOf={(key) => `/license-keys/${key.id}`}
        empty={customers.noLicenses}
        read={async ({ security }, query) => {
          const page = await security.licenseKeys.list({ ...query, customer_email: email })
          return { rows: page.keys, next_cursor: page.next_cursor }
        }}
      />
    )}
  </CustomerTab>
)
