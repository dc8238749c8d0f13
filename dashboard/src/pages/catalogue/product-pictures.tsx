import { storeRequest } from '../../api/action.ts'
import type { Product, ProductMedia, ProductSections } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { Section, State } from '../../kit/show.tsx'
import { Empty } from '../../kit/states.tsx'
import { uploadRequest } from '../../kit/upload.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'

interface PicturesProps {
  sections: ProductSections
  isAllowed: boolean
}

const altOf = ({ meta }: ProductMedia): string => (typeof meta.alt === 'string' ? meta.alt : '')

/** The pictures and videos of a product, in their order. */
export function Pictures({ sections: { product, media }, isAllowed }: PicturesProps) {
  const reorder = useReorder({
    ids: media.map(({ id }) => id),
    request: (ids) => ({
      ...storeRequest('media', 'order', product.id, { ids }),
      area: 'products',
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
      {reorder.status}
      {media.length === 0 ? (
        <Empty>{productTabs.noPictures}</Empty>
      ) : (
        <ul className="gallery">
          {media.map((item, index) => {
            const name = altOf(item) || fill(productTabs.picture, { n: index + 1 })
            return (
              <li key={item.id}>
                <Shown of={item} />
                <p>
                  {name} {item.is_main && <State state="on">{productTabs.main}</State>}
                </p>
                {isAllowed && (
                  <div className="actions">
                    {media.length > 1 && <MoveButtons id={item.id} name={name} reorder={reorder} />}
                    <PictureActions product={product} of={item} />
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

const Shown = ({ of }: { of: ProductMedia }) =>
  of.kind === 'image' ? (
    <img src={of.url} alt={altOf(of)} loading="lazy" />
  ) : (
    <a href={of.url} className="gallery-video">
      {productTabs.video}
    </a>
  )

const PICTURES = 'products'

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
      area: PICTURES,
    })}
  />
)

const PictureActions = ({ product: { id }, of }: { product: Product; of: ProductMedia }) => (
  <>
    {of.kind === 'image' && !of.is_main && (
      <Action
        label={productTabs.makeMain}
        submit={productTabs.makeMain}
        request={() => ({
          ...storeRequest('media', 'update', id, of.id, { is_main: true }),
          area: PICTURES,
        })}
      />
    )}
    <Action
      label={productTabs.describe}
      fields={[{ name: 'alt', label: productTabs.alt, value: altOf(of) }]}
      submit={common.save}
      request={({ alt }) => ({
        ...storeRequest('media', 'update', id, of.id, {
          meta: { ...(of.meta as Record<string, string>), alt: String(alt ?? '') },
        }),
        area: PICTURES,
      })}
    />
    <Action
      label={common.delete}
      title={productTabs.deletePicture}
      isDanger
      lead={<p>{productTabs.deletePictureLead}</p>}
      submit={productTabs.deletePicture}
      request={() => ({ ...storeRequest('media', 'delete', id, of.id), area: PICTURES })}
    />
  </>
)
