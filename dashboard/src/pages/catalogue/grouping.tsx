import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Raw, Section, State, Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { groupings } from '../../text/groupings.ts'
import { fieldsOf, type Grouping, KINDS, type Kind, patchOf } from './grouping-kinds.ts'
import { CategoryProducts, GroupProducts } from './grouping-products.tsx'

/** A category or a group with its products. */
export function GroupingRecord({ kind }: { kind: Kind }) {
  const params = useParams({ strict: false }) as { id?: string }
  const id = Number(params.id)
  const isAllowed = useMayWrite(kind)
  const read = useRead([kind, id], (store) => KINDS[kind].read(store, id))
  return (
    <Loaded read={read}>
      {(grouping) => (
        <Frame
          title={grouping.name}
          parent={{ to: `/${kind}`, label: KINDS[kind].title }}
          actions={
            isAllowed ? <Actions kind={kind} grouping={grouping} /> : <NotAllowed area={kind} />
          }
        >
          <div className="split">
            {'product_ids' in grouping ? (
              <GroupProducts group={grouping} isAllowed={isAllowed} />
            ) : (
              <CategoryProducts category={grouping} isAllowed={isAllowed} />
            )}
            <div>
              <Details grouping={grouping} />
              <Raw record={grouping} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

const Details = ({ grouping }: { grouping: Grouping }) => (
  <Section title={common.details}>
    <Facts
      rows={[
        ['Slug', grouping.slug],
        [
          groupings.visibility,
          <State key="visibility" state={grouping.visibility === 'public' ? 'on' : 'closed'}>
            {groupings[grouping.visibility]}
          </State>,
        ],
        [groupings.icon, 'icon' in grouping ? grouping.icon : undefined],
        [groupings.description, grouping.description],
        [groupings.image, grouping.image_url],
        [common.created, <Time key="created" at={grouping.created_at} />],
        [common.updated, <Time key="updated" at={grouping.updated_at} />],
      ]}
    />
  </Section>
)

function Actions({ kind, grouping }: { kind: Kind; grouping: Grouping }) {
  const openAfter = useOpenAfter()
  const { updateRequest, deleteRequest, deleteLabel } = KINDS[kind]
  return (
    <>
      <EditAction
        label={common.edit}
        record={grouping}
        read={(store) => KINDS[kind].read(store, grouping.id)}
        fields={(current) => fieldsOf(kind, current)}
        request={(changed) => updateRequest(grouping.id, patchOf(kind, changed, grouping))}
      />
      <Action
        label={common.delete}
        title={deleteLabel}
        isDanger
        lead={
          <p>
            {fill(groupings.deleteLead, {
              name: grouping.name,
              n: formatNumber(grouping.product_count),
            })}
          </p>
        }
        submit={deleteLabel}
        request={() => openAfter(deleteRequest(grouping.id), `/${kind}`)}
      />
    </>
  )
}
