import { dashboardRequest, type Request } from '../../api/action.ts'
import type { DashboardAnswer } from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatDate, formatNumber } from '../../kit/format.ts'
import { Section } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { returns } from '../../text/returns.ts'

type Photo = DashboardAnswer<'return_photos.list'>['photos'][number]

/** The photos of the items, and the buttons that add and delete them. */
export function ReturnPhotos({ id }: { id: number }) {
  const isAllowed = useMayWrite('returns')
  const read = useRead(
    ['returns', id, 'photos'],
    async ({ readDashboard }) =>
      (await readDashboard<'return_photos.list'>(`/returns/${id}/photos`)).photos,
  )
  return (
    <Section title={returns.photos} actions={isAllowed && <AddPhoto id={id} />}>
      <Loaded read={read} rows={2}>
        {(photos) =>
          photos.length === 0 ? (
            <Empty>{returns.noPhotos}</Empty>
          ) : (
            <ul className="gallery">
              {photos.map((photo, index) => (
                <PhotoItem
                  key={photo.id}
                  photo={photo}
                  number={index + 1}
                  count={photos.length}
                  returnId={id}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

interface PhotoProps {
  photo: Photo
  /** The position in the list, from 1. */
  number: number
  /** The number of all photos of the return. */
  count: number
  returnId: number
}

function PhotoItem({ photo, number, count, returnId }: PhotoProps) {
  const isAllowed = useMayWrite('returns')
  const name = fill(returns.photo, { n: number, date: formatDate(photo.created_at) })
  return (
    <li>
      <a href={photo.url} target="_blank" rel="noreferrer">
        <img src={photo.url} alt={name} loading="lazy" />
      </a>
      <p>{name}</p>
      {isAllowed && (
        <div className="actions">
          <Action
            label={common.delete}
            title={fill(returns.deletePhoto, { n: number })}
            isDanger
            lead={<p>{fill(returns.deletePhotoLead, { n: formatNumber(count) })}</p>}
            submit={fill(returns.deletePhoto, { n: number })}
            request={() =>
              dashboardRequest('returns', 'DELETE', `/returns/${returnId}/photos/${photo.id}`)
            }
          />
        </div>
      )}
    </li>
  )
}

const AddPhoto = ({ id }: { id: number }) => (
  <Action
    label={returns.addPhoto}
    fields={[
      {
        name: 'file',
        label: returns.photoFile,
        type: 'file',
        required: true,
        help: returns.photoHelp,
      },
    ]}
    submit={returns.addPhoto}
    request={({ file }) => uploadRequest(id, file as File | undefined)}
  />
)

function uploadRequest(id: number, file: File | undefined): Request {
  const form = new FormData()
  form.set('file', file ?? new Blob())
  const { body: _, ...request } = dashboardRequest('returns', 'POST', `/returns/${id}/photos`, form)
  return request
}
