import type { Request } from '../../api/action.ts'
import type { StoreContext } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field, Typed } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { type Column, List, type ListAnswer } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { appFields, appFilter, appNameOf, useApps } from './app-options.ts'
import { type Protected, SwitchAction } from './protected-parts.tsx'

interface ProtectedListProps<Row extends Protected> {
  /** The area in keys of queries. */
  area: string
  /** The path of the list, such as `/strings`. */
  path: string
  title: string
  lead: string
  empty: string
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  read: (
    store: StoreContext,
    query: Record<string, string | number>,
  ) => PromiseLike<ListAnswer<Row>>
  /** The action that makes a record. */
  create: { label: string; fields: readonly Field[]; request: (values: Typed) => Request }
  switchTo: (id: number, status: Protected['status']) => Request
}

/** A list of strings, files or settings. The app of a record is shown if there are several. */
export function ProtectedList<Row extends Protected>(props: ProtectedListProps<Row>) {
  const { area, path, title, lead, empty, columns, nameOf, read, create, switchTo } = props
  const isAllowed = useMayWrite('client_security')
  const apps = useApps()
  const appOf = ({ app_id }: Row) => appNameOf(apps, app_id)
  const appColumn: Column<Row> = { label: protectedTexts.app, show: appOf, text: appOf }
  return (
    <Frame
      title={title}
      lead={lead}
      actions={
        isAllowed ? (
          <Action
            label={create.label}
            isPrimary
            fields={[...appFields(apps), ...create.fields]}
            submit={create.label}
            request={create.request}
          />
        ) : (
          <span className="quiet">{common.notAllowed}</span>
        )
      }
    >
      <List
        name={[area]}
        label={title}
        columns={apps.length > 1 ? [...columns, appColumn] : columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${path}/${id}`}
        filters={appFilter(apps)}
        empty={empty}
        read={read}
        {...(isAllowed && {
          rowActions: (row: Row) => (
            <SwitchAction
              of={row}
              name={nameOf(row)}
              request={(status) => switchTo(row.id, status)}
            />
          ),
        })}
      />
    </Frame>
  )
}
