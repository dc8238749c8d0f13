import { storeRequest } from '../../api/action.ts'
import {
  type Product,
  type ProductFile,
  type ProductSections,
  useRead,
  type Variant,
} from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatBytes } from '../../kit/format.ts'
import { Table } from '../../kit/list.tsx'
import { Section, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { uploadRequest } from '../../kit/upload.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { ProductTab } from './product-frame.tsx'
import { Pictures } from './product-pictures.tsx'

export const Page = () => (
  <ProductTab>
    {({ sections, isAllowed }) => (
      <>
        <Pictures sections={sections} isAllowed={isAllowed} />
        <Files sections={sections} isAllowed={isAllowed} />
      </>
    )}
  </ProductTab>
)

interface FilesProps {
  sections: ProductSections
  isAllowed: boolean
}

function Files({ sections: { product, variants }, isAllowed }: FilesProps) {
  const read = useRead(
    ['products', product.id, 'files'],
    async ({ api }) => (await api.files.list(product.id)).files,
  )
  const nameOf = (id: number | null) =>
    id === null
      ? productTabs.allVariants
      : (variants.find((variant) => variant.id === id)?.name ?? String(id))
  return (
    <Section
      title={productTabs.files}
      actions={isAllowed && <UploadFile product={product} variants={variants} />}
    >
      <p>{productTabs.filesLead}</p>
      <Loaded read={read} rows={2}>
        {(files) =>
          files.length === 0 ? (
            <Empty>{productTabs.noFiles}</Empty>
          ) : (
            <Table
              label={productTabs.files}
              rows={files}
              keyOf={({ id }) => id}
              columns={[
                {
                  label: common.name,
                  show: ({ name, download_url }) => (
                    <a href={download_url} download={name}>
                      {name}
                    </a>
                  ),
                },
                { label: productTabs.variant, show: ({ variant_id }) => nameOf(variant_id) },
                {
                  label: productTabs.size,
                  isNumber: true,
                  show: ({ size_bytes }) => formatBytes(size_bytes),
                },
                { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
              ]}
              {...(isAllowed && {
                rowActions: (file: ProductFile) => <DeleteFile product={product} file={file} />,
              })}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

const UploadFile = ({ product, variants }: { product: Product; variants: readonly Variant[] }) => (
  <Action
    label={productTabs.uploadFile}
    fields={[
      {
        name: 'file',
        label: productTabs.file,
        type: 'file',
        required: true,
        help: productTabs.fileHelp,
      },
      {
        name: 'variant_id',
        label: productTabs.variant,
        type: 'select',
        help: productTabs.allVariants,
        options: variants.map(({ id, name }) => ({ value: String(id), label: name })),
      },
    ]}
    submit={productTabs.upload}
    request={({ file, variant_id }) =>
      uploadRequest('files', {
        id: product.id,
        file: file as File | undefined,
        fields: variant_id === undefined ? {} : { variant_id: Number(variant_id) },
      })
    }
  />
)

const DeleteFile = ({ product, file: { id, name } }: { product: Product; file: ProductFile }) => (
  <Action
    label={common.delete}
    title={productTabs.deleteFile}
    isDanger
    lead={<p>{fill(productTabs.deleteFileLead, { name })}</p>}
    submit={productTabs.deleteFile}
    request={() => ({ ...storeRequest('files', 'delete', product.id, id), area: 'products' })}
  />
)
