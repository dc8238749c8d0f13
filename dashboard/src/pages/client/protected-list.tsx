import type { Request } from '../../api/action.ts'
import type { StoreContext } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { type Column, type Filter, List, type ListAnswer } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { protectedTexts } from '../../text/protected.ts'
import { appFieldIfSeveral, appFilter, appNameOf, useApps } from './app-options.ts'
import { type Protected, SwitchAction } from './protected-parts.tsx'

interface ProtectedListProps<Row extends Protected> {
  /** The area in query keys. */
  area: string
  /** The path of the list, such as `/strings`. */
  path: string
  title: string
  lead: string
  empty: string
  /** A line of code that creates a record. */
  code: string
  columns: readonly Column<Row>[]
  /** Filters next to the one by app, for users who may write. */
  filters?: readonly Filter[]
  nameOf: (row: Row) => string
  read: (
    store: StoreContext,
    query: Record<string, string | number>,
  ) => PromiseLike<ListAnswer<Row>>
  /** The action that creates a record. */
  create: { label: string; fields: readonly Field[]; request: (values: FormValues) => Request }
  switchTo: (id: number, status: Protected['status']) => Request
}

/** A list of strings, files or settings. It has a column for the app if the store has several. */
export function ProtectedList<Row extends Protected>(props: ProtectedListProps<Row>) {
  const { area, path, title, lead, empty, code, columns, nameOf, read, create, switchTo } = props
  const { filters = [] } = props
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
            fields={[...appFieldIfSeveral(apps), ...create.fields]}
            submit={create.label}
            request={create.request}
          />
        ) : (
          <NotAllowed area="client_security" />
        )
      }
    >
      <List
        queryKey={[area]}
        label={title}
        columns={apps.length > 1 ? [...columns, appColumn] : columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${path}/${id}`}
        filters={[...appFilter(apps), ...(isAllowed ? filters : [])]}
        empty={empty}
        firstStep={{
          ...(isAllowed && { link: { to: `${path}#new`, label: create.label } }),
          code,
        }}
        read={read}
        {...(isAllowed && {
          rowActions: (row: Row) => (
            <SwitchAction
              record={row}
              name={nameOf(row)}
              request={(status) => switchTo(row.id, status)}
            />
          ),
        })}
      />
    </Frame>
  )
}
