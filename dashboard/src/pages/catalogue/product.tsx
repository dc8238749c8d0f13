import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import type { Product, ProductSections, Variant } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber, humanize } from '../../kit/format.ts'
import { Link, useGo } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Money, Raw, Section, Stamp, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { products } from '../../text/products.ts'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const read = useRead(['products', id], ({ api }) => api.products.get(id))
  return (
    <Loaded read={read}>
      {(answer) => (
        <Frame
          title={answer.product.name}
          parent={{ to: '/products', label: products.title }}
          lead={<Copy text={answer.product.id} />}
          actions={<ProductActions product={answer.product} />}
        >
          <div className="split">
            <div>
              <Variants product={answer.product} variants={answer.variants} />
            </div>
            <div>
              <Basics sections={answer as ProductSections} />
              <Raw record={answer} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

const Basics = ({ sections: { product } }: { sections: ProductSections }) => (
  <Section title={common.details} actions={<Stamp state={product.status} />}>
    <Facts
      of={[
        [
          products.price,
          <Money key="price" cents={product.price_cents} currency={product.currency} />,
        ],
        [products.type, humanize(product.type)],
        ['Slug', product.slug],
        ['SKU', product.sku],
        [products.sales, formatNumber(product.sales_count)],
        [common.updated, <Time key="updated" at={product.updated_at} />],
      ]}
    />
  </Section>
)

function ProductActions({ product }: { product: Product }) {
  const { id, name, status, price_cents, currency } = product
  const isAllowed = useMayWrite('products')
  const go = useGo()
  if (!isAllowed) return <span className="quiet">{common.notAllowed}</span>
  const setStatus = (next: Product['status']) =>
    storeRequest('products', 'update', id, { status: next })
  return (
    <>
      {status !== 'active' && (
        <Action
          label={products.publish}
          isPrimary
          lead={<p>{fill(products.publishLead, { name })}</p>}
          submit={products.publish}
          request={() => setStatus('active')}
        />
      )}
      <Action
        label={common.edit}
        fields={[
          { name: 'name', label: common.name, required: true, value: name },
          {
            name: 'price_cents',
            label: products.price,
            type: 'money',
            currency,
            required: true,
            value: price_cents,
            help: products.priceHelp,
          },
        ]}
        submit={common.save}
        request={(values) =>
          storeRequest('products', 'update', id, {
            name: String(values.name ?? ''),
            price_cents: Number(values.price_cents),
          })
        }
      />
      <Action
        label={products.duplicate}
        lead={<p>{products.duplicateLead}</p>}
        submit={products.duplicate}
        request={() => storeRequest('products', 'duplicate', id)}
        onDone={(answer) => go(`/products/${(answer as ProductSections).product.id}`)}
      />
      {status !== 'archived' && (
        <Action
          label={products.archive}
          isDanger
          lead={<p>{fill(products.archiveLead, { name })}</p>}
          submit={products.archive}
          request={() => setStatus('archived')}
        />
      )}
    </>
  )
}

function Variants({ product, variants }: { product: Product; variants: readonly Variant[] }) {
  const isAllowed = useMayWrite('products')
  return (
    <Section title={products.variants}>
      <Table
        label={products.variants}
        rows={variants}
        keyOf={({ id }) => id}
        columns={[
          { label: common.name, show: ({ name }) => name },
          {
            label: products.price,
            isNumber: true,
            show: ({ price_cents }) => <Money cents={price_cents} currency={product.currency} />,
          },
          {
            label: products.stock,
            isNumber: true,
            show: ({ stock_mode, stock_quantity }) =>
              stock_mode === 'unlimited' ? products.unlimited : formatNumber(stock_quantity),
          },
        ]}
        rowActions={(variant) =>
          variant.delivery_type === 'serial' ? (
            <Link to={`/products/${product.id}/variants/${variant.id}/keys`}>{products.show}</Link>
          ) : (
            isAllowed && <SetStock product={product} variant={variant} />
          )
        }
      />
    </Section>
  )
}

const SetStock = ({ product, variant }: { product: Product; variant: Variant }) => (
  <Action
    label={products.setStock}
    fields={[
      {
        name: 'stock_mode',
        label: products.mode,
        type: 'select',
        required: true,
        value: variant.stock_mode,
        options: ['manual', 'unlimited'].map((value) => ({ value, label: humanize(value) })),
      },
      {
        name: 'stock_quantity',
        label: products.stock,
        type: 'number',
        value: variant.stock_quantity,
        when: ({ stock_mode }) => stock_mode === 'manual',
      },
    ]}
    submit={products.setStock}
    request={({ stock_mode, stock_quantity }) =>
      storeRequest('variants', 'update', product.id, variant.id, {
        stock_mode: stock_mode as Variant['stock_mode'],
        ...(stock_quantity !== undefined && { stock_quantity: Number(stock_quantity) }),
      })
    }
  />
)
