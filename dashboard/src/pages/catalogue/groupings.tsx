import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useGo } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { State } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { common } from '../../text/common.ts'
import { groupings } from '../../text/groupings.ts'
import { bodyOf, fieldsOf, type Grouping, KINDS, type Kind, recordOf } from './grouping-kinds.ts'

/** The list of all categories, or of all groups, in the order of the storefront. */
export function Groupings({ kind }: { kind: Kind }) {
  const { lead, readAll } = KINDS[kind]
  const isAllowed = useMayWrite(kind)
  const read = useRead([kind], readAll)
  return (
    <Frame
      title={groupings.title}
      lead={lead}
      actions={isAllowed ? <New kind={kind} /> : <span className="quiet">{common.notAllowed}</span>}
    >
      <Tabs
        label={groupings.title}
        tabs={[
          { to: '/categories', label: groupings.categories },
          { to: '/groups', label: groupings.groups },
        ]}
      />
      <Loaded read={read}>
        {(all) =>
          all.length === 0 ? (
            <Empty>{KINDS[kind].empty}</Empty>
          ) : (
            <All kind={kind} all={all} isAllowed={isAllowed} />
          )
        }
      </Loaded>
    </Frame>
  )
}

function All({
  kind,
  all,
  isAllowed,
}: {
  kind: Kind
  all: readonly Grouping[]
  isAllowed: boolean
}) {
  const reorder = useReorder({ ids: all.map(({ id }) => id), request: KINDS[kind].reorder })
  return (
    <>
      {reorder.status}
      {isAllowed && all.length > 1 && <p className="quiet">{groupings.orderLead}</p>}
      <Table
        label={KINDS[kind].title}
        rows={all}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/${kind}/${id}`}
        columns={[
          { label: common.name, show: ({ name }) => name },
          { label: 'Slug', show: ({ slug }) => slug },
          {
            label: groupings.visibility,
            show: ({ visibility }) => (
              <State state={visibility === 'public' ? 'on' : 'closed'}>
                {groupings[visibility]}
              </State>
            ),
          },
          {
            label: groupings.products,
            isNumber: true,
            show: ({ product_count }) => formatNumber(product_count),
          },
        ]}
        {...(isAllowed && {
          rowActions: ({ id, name }: Grouping) => (
            <MoveButtons id={id} name={name} reorder={reorder} />
          ),
        })}
      />
    </>
  )
}

function New({ kind }: { kind: Kind }) {
  const go = useGo()
  const { add, create } = KINDS[kind]
  return (
    <Action
      label={add}
      isPrimary
      fields={fieldsOf(kind)}
      submit={add}
      request={(values) => create(bodyOf(kind, values))}
      onDone={(answer) => go(`/${kind}/${recordOf(answer).id}`)}
    />
  )
}
