import { storeRequest } from '../../api/action.ts'
import {
  type Product,
  type ProductFile,
  type ProductSections,
  useRead,
  type Variant,
} from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatBytes, formatNumber } from '../../kit/format.ts'
import { LoadedTable } from '../../kit/loaded-table.tsx'
import { Section, Time } from '../../kit/show.tsx'
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
  const variantNameOf = (id: number | null) =>
    id === null
      ? productTabs.allVariants
      : (variants.find((variant) => variant.id === id)?.name ?? String(id))
  return (
    <Section
      title={productTabs.files}
      actions={isAllowed && <UploadFile product={product} variants={variants} />}
    >
      <p>{productTabs.filesLead}</p>
      <LoadedTable
        read={read}
        skeletonRows={2}
        empty={productTabs.noFiles}
        label={productTabs.files}
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
          { label: productTabs.variant, show: ({ variant_id }) => variantNameOf(variant_id) },
          {
            label: productTabs.size,
            isRightAligned: true,
            show: ({ size_bytes }) => formatBytes(size_bytes),
          },
          { label: common.created, show: ({ created_at }) => <Time at={created_at} /> },
        ]}
        {...(isAllowed && {
          rowActions: (file: ProductFile) => <DeleteFile product={product} file={file} />,
        })}
      />
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

interface DeleteFileProps {
  product: Product
  file: ProductFile
}

const DeleteFile = ({ product, file: { id, name, size_bytes } }: DeleteFileProps) => (
  <Action
    label={common.delete}
    title={productTabs.deleteFile}
    isDanger
    lead={
      <p>
        {fill(productTabs.deleteFileLead, {
          name,
          size: formatBytes(size_bytes),
          sold: formatNumber(product.sales_count),
        })}
      </p>
    }
    submit={productTabs.deleteFile}
    request={() => ({ ...storeRequest('files', 'delete', product.id, id), area: 'products' })}
  />
)
