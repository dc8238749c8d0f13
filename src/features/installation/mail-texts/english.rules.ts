import type { LanguageTexts } from './language-texts.rules.ts'

const GREETING = 'Hello {{customer_name}},'

export const ENGLISH: LanguageTexts = {
  templates: {
    order_received: {
      subject: 'We received your order {{order_number}}',
      body_text: `${GREETING}

Thank you for your order at {{store_name}}. We will start on it as soon as your payment of {{total}} has arrived.

{{items}}

Total: {{total}}

You can see the state of your order at any time:

{{order_url}}`,
    },
    order_paid: {
      subject: 'Thank you for your order {{order_number}}',
      body_text: `${GREETING}

Thank you for your order at {{store_name}}. It is paid, and we are taking care of the rest.

{{items}}

Total: {{total}}

You can follow your order here:

{{order_url}}`,
    },
    order_delivery: {
      subject: 'Your order {{order_number}} is here',
      body_text: `${GREETING}

Here is what you bought at {{store_name}}:

{{keys}}

You will find everything on your order page, including your downloads:

{{order_url}}

Your order:

{{items}}

Total: {{total}}

Keep this mail in a safe place, because anyone who has it can use what is in it.`,
    },
    order_shipped: {
      subject: 'Your order {{order_number}} is on its way',
      body_text: `${GREETING}

Your parcel from {{store_name}} is on its way to you:

{{items}}

{{tracking_url}}

All about your order:

{{order_url}}`,
    },
    order_refunded: {
      subject: 'Your refund for order {{order_number}}',
      body_text: `${GREETING}

We have refunded {{amount}} for your order {{order_number}} at {{store_name}}. Depending on the payment method, it can take a few days until you see the money.

{{reason}}

{{order_url}}`,
    },
    payment_partial: {
      subject: 'A part of order {{order_number}} is still to be paid',
      body_text: `${GREETING}

Thank you, we have received a part of your payment. {{amount}} of {{total}} is still to be paid.

Your order and what is open:

{{order_url}}`,
    },
    payment_review: {
      subject: 'We are checking your payment for order {{order_number}}',
      body_text: `${GREETING}

Thank you, we have received the details of your payment of {{amount}}. We are checking it now. You do not need to do anything, and your order page shows when we have finished:

{{order_url}}`,
    },
    renewal_notice: {
      subject: 'Your subscription at {{store_name}} renews soon',
      body_text: `${GREETING}

Your subscription renews soon:

{{items}}

If you do not want that, write to us before that day.

{{order_url}}`,
    },
    renewal_action: {
      subject: 'Your bank asks you to confirm a payment',
      body_text: `${GREETING}

Your subscription is due, and your bank wants you to confirm the payment of {{amount}} yourself:

{{items}}

Please pay it on the page of your order, so that your subscription continues:

{{order_url}}`,
    },
    renewal_failed: {
      subject: 'Please pay the renewal of your subscription',
      body_text: `${GREETING}

Your subscription is due, and the payment of {{amount}} is still open:

{{items}}

Please pay it, so that your subscription continues. Your order:

{{order_url}}`,
    },
    stock_alert: {
      subject: '{{items}} is in stock again',
      body_text: `Good news: {{items}} is in stock again at {{store_name}}.

{{link}}

You get this one mail because you asked for it.`,
    },
    team_invitation: {
      subject: 'Join {{store_name}}',
      body_text: `Hello,

You are invited to the dashboard of {{store_name}} as {{reason}}.

{{link}}

The invitation is valid for 7 days.`,
    },
    password_reset: {
      subject: 'Set a new password',
      body_text: `Hello,

Somebody, probably you, asked for a new password for the dashboard of {{store_name}}. Set it within an hour:

{{link}}

If it was not you, you do not need to do anything: your password does not change.`,
    },
    email_change: {
      subject: 'Confirm your new email address',
      body_text: `Hello,

You asked to sign in to the dashboard with this address. Confirm it within an hour:

{{link}}

If it was not you, you do not need to do anything: no address changes.`,
    },
    email_changed: {
      subject: 'Your email address was changed',
      body_text: `Hello,

You now sign in to the dashboard with {{reason}}, and no longer with this address.

If it was not you, ask an owner of your store or the operator of the server at once.`,
    },
  },
  labels: { order_url: 'View your order', tracking_url: 'Track your parcel' },
  linkLabels: {
    stock_alert: 'View the product',
    team_invitation: 'Accept the invitation',
    password_reset: 'Set a new password',
    email_change: 'Confirm the address',
  },
  linkLabel: 'Open the page',
  refundReasons: {
    requested_by_customer: 'Reason: you asked for it.',
    duplicate: 'Reason: the order was paid twice.',
    fraudulent: '',
    other: '',
  },
  otherAmount: 'Reason: the payment was not the amount of the order.',
  roles: { owner: 'owner', admin: 'admin', staff: 'staff', viewer: 'viewer' },
  fileOnOrderPage: (name) => `${name}: download it on your order page`,
  moreKeys: (count) => `and ${count} more, on your order page`,
  trackingNumber: (number) => `Tracking number: ${number}`,
  renewsOn: (day) => `renews on ${day}`,
  stopStockMail: 'If you want no more mail about stock from us:',
  sample: { customer_name: 'Ada Lovelace', item: 'Photo editor', note: 'One year' },
}
