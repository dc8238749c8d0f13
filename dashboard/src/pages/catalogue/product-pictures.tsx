import { storeRequest } from '../../api/action.ts'
import type { Product, ProductMedia, ProductSections } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { Section, State } from '../../kit/show.tsx'
import { Empty } from '../../kit/states.tsx'
import { uploadRequest } from '../../kit/upload.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { DropPictures } from './drop-pictures.tsx'

/** A change of a picture also changes its product, so the product is read again. */
const AREA = 'products'

interface PicturesProps {
  sections: ProductSections
  isAllowed: boolean
}

const altOf = ({ meta }: ProductMedia): string => (typeof meta.alt === 'string' ? meta.alt : '')

/** The pictures and videos of a product, sorted by position. */
export function Pictures({ sections: { product, media }, isAllowed }: PicturesProps) {
  const reorder = useReorder({
    ids: media.map(({ id }) => id),
    request: (ids) => ({
      ...storeRequest('media', 'order', product.id, { ids }),
      area: AREA,
    }),
  })
  return (
    <Section
      title={productTabs.pictures}
      actions={
        isAllowed && (
          <>
            <UploadPicture product={product} />
            <AddByAddress product={product} />
          </>
        )
      }
    >
      {isAllowed && <DropPictures productId={product.id} />}
      {isAllowed && reorder.status}
      {media.length === 0 ? (
        <Empty>{productTabs.noPictures}</Empty>
      ) : (
        <ul className="gallery">
          {media.map((item, index) => {
            const name = altOf(item) || fill(productTabs.picture, { n: index + 1 })
            return (
              <li key={item.id}>
                <Picture media={item} />
                <p>
                  {name} {item.is_main && <State state="on">{productTabs.main}</State>}
                </p>
                {isAllowed && (
                  <div className="actions">
                    {media.length > 1 && <MoveButtons id={item.id} name={name} reorder={reorder} />}
                    <PictureActions product={product} media={item} count={media.length} />
                  </div>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

const Picture = ({ media }: { media: ProductMedia }) =>
  media.kind === 'image' ? (
    <img src={media.url} alt={altOf(media)} loading="lazy" />
  ) : (
    <a href={media.url} className="gallery-video">
      {productTabs.video}
    </a>
  )

const UploadPicture = ({ product: { id } }: { product: Product }) => (
  <Action
    label={productTabs.uploadPicture}
    fields={[
      {
        name: 'file',
        label: productTabs.file,
        type: 'file',
        required: true,
        help: productTabs.pictureHelp,
      },
    ]}
    submit={productTabs.upload}
    request={({ file }) => uploadRequest('media', { id, file: file as File | undefined })}
  />
)

const AddByAddress = ({ product: { id } }: { product: Product }) => (
  <Action
    label={productTabs.byAddress}
    fields={[
      {
        name: 'url',
        label: productTabs.url,
        type: 'url',
        required: true,
        help: productTabs.addressHelp,
      },
      {
        name: 'kind',
        label: productTabs.kind,
        type: 'select',
        required: true,
        value: 'image',
        options: [
          { value: 'image', label: productTabs.image },
          { value: 'video', label: productTabs.video },
        ],
      },
    ]}
    submit={productTabs.byAddress}
    request={({ url, kind }) => ({
      ...storeRequest('media', 'create', id, {
        url: String(url ?? ''),
        kind: kind as ProductMedia['kind'],
      }),
      area: AREA,
    })}
  />
)

interface PictureActionsProps {
  product: Product
  media: ProductMedia
  /** The number of pictures and videos of the product. */
  count: number
}

const PictureActions = ({ product: { id }, media, count }: PictureActionsProps) => (
  <>
    {media.kind === 'image' && !media.is_main && (
      <Action
        label={productTabs.makeMain}
        submit={productTabs.makeMain}
        request={() => ({
          ...storeRequest('media', 'update', id, media.id, { is_main: true }),
          area: AREA,
        })}
      />
    )}
    <EditAction
      label={productTabs.describe}
      record={media}
      read={async ({ api }) => {
        const list = await api.media.list(id)
        return list.media.find((item) => item.id === media.id) ?? media
      }}
      fields={(item) => [{ name: 'alt', label: productTabs.alt, value: altOf(item) }]}
      request={(changed) => ({
        ...storeRequest('media', 'update', id, media.id, {
          meta: {
            ...(media.meta as Record<string, string>),
            alt: 'alt' in changed ? String(changed.alt ?? '') : altOf(media),
          },
        }),
        area: AREA,
      })}
    />
    <Action
      label={common.delete}
      title={productTabs.deletePicture}
      isDanger
      lead={<p>{fill(productTabs.deletePictureLead, { n: formatNumber(count) })}</p>}
      submit={productTabs.deletePicture}
      request={() => ({ ...storeRequest('media', 'delete', id, media.id), area: AREA })}
    />
  </>
)
