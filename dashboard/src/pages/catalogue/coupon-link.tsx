import { useState } from 'react'
import { type Coupon, useStore } from '../../api/store.ts'
import { FieldInput } from '../../kit/fields.tsx'
import { Modal } from '../../kit/modal.tsx'
import { Copy } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { coupons } from '../../text/coupons.ts'

/** The query parameter of the link that contains the code. The seller's shop reads it. */
const CODE_PARAMETER = 'coupon'

/** A button that shows a link to the seller's shop with the code of the coupon. */
export function CouponLink({ coupon: { code } }: { coupon: Coupon }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {coupons.copyLink}
      </button>
      <Modal title={fill(coupons.linkOf, { code })} isOpen={isOpen} onClose={() => setOpen(false)}>
        <LinkForm code={code} />
      </Modal>
    </>
  )
}

function LinkForm({ code }: { code: string }) {
  const { id } = useStore()
  // The browser remembers the address for the next coupon.
  const storageKey = `tradepost-storefront-${id}`
  const [address, setAddress] = useState(() => localStorage.getItem(storageKey) ?? '')
  const link = linkOf(address, code)
  return (
    <div className="form">
      <p>{fill(coupons.linkLead, { field: CODE_PARAMETER })}</p>
      <FieldInput
        field={{ name: 'address', label: coupons.storefrontAddress, type: 'url', required: true }}
        value={address}
        error={address !== '' && link === undefined ? coupons.notAnAddress : undefined}
        onChange={(value) => {
          setAddress(String(value))
          localStorage.setItem(storageKey, String(value))
        }}
      />
      {link !== undefined && <Copy block text={link} label={coupons.copyLink} />}
    </div>
  )
}

/** Returns undefined if the address is not the URL of a page. */
function linkOf(address: string, code: string): string | undefined {
  if (!/^https?:/.test(address.trim()) || !URL.canParse(address.trim())) return undefined
  const url = new URL(address.trim())
  url.searchParams.set(CODE_PARAMETER, code)
  return url.href
}
