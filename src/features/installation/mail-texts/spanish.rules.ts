import type { LanguageTexts } from './language-texts.rules.ts'

const GREETING = 'Hola, {{customer_name}}:'

export const SPANISH: LanguageTexts = {
  templates: {
    order_received: {
      subject: 'Hemos recibido tu pedido {{order_number}}',
      body_text: `${GREETING}

Gracias por tu pedido en {{store_name}}. Lo prepararemos en cuanto llegue tu pago de {{total}}.

{{items}}

Total: {{total}}

Puedes ver el estado de tu pedido cuando quieras:

{{order_url}}`,
    },
    order_paid: {
      subject: 'Gracias por tu pedido {{order_number}}',
      body_text: `${GREETING}

Gracias por tu pedido en {{store_name}}. Está pagado y nos encargamos del resto.

{{items}}

Total: {{total}}

Puedes seguir tu pedido aquí:

{{order_url}}`,
    },
    order_delivery: {
      subject: 'Aquí tienes tu pedido {{order_number}}',
      body_text: `${GREETING}

Esto es lo que has comprado en {{store_name}}:

{{keys}}

En la página de tu pedido lo encontrarás todo, también tus descargas:

{{order_url}}

Tu pedido:

{{items}}

Total: {{total}}

Guarda este correo en un lugar seguro: quien lo tenga puede usar lo que contiene.`,
    },
    order_shipped: {
      subject: 'Tu pedido {{order_number}} está en camino',
      body_text: `${GREETING}

Tu paquete de {{store_name}} está en camino:

{{items}}

{{tracking_url}}

Todo sobre tu pedido:

{{order_url}}`,
    },
    order_refunded: {
      subject: 'Tu reembolso del pedido {{order_number}}',
      body_text: `${GREETING}

Te hemos reembolsado {{amount}} de tu pedido {{order_number}} en {{store_name}}. Según el método de pago, el dinero puede tardar unos días en llegar.

{{reason}}

{{order_url}}`,
    },
    payment_partial: {
      subject: 'Queda por pagar una parte del pedido {{order_number}}',
      body_text: `${GREETING}

Gracias, hemos recibido una parte de tu pago. De {{total}} quedan por pagar {{amount}}.

Tu pedido y lo que queda por pagar:

{{order_url}}`,
    },
    payment_review: {
      subject: 'Estamos revisando tu pago del pedido {{order_number}}',
      body_text: `${GREETING}

Gracias, hemos recibido los datos de tu pago de {{amount}}. Lo estamos revisando. No tienes que hacer nada, y en la página de tu pedido verás cuándo hemos terminado:

{{order_url}}`,
    },
    renewal_notice: {
      subject: 'Tu suscripción en {{store_name}} se renueva pronto',
      body_text: `${GREETING}

Tu suscripción se renueva pronto:

{{items}}

Si no lo quieres, escríbenos antes de ese día.

{{order_url}}`,
    },
    renewal_action: {
      subject: 'Tu banco te pide que confirmes un pago',
      body_text: `${GREETING}

Tu suscripción ha vencido y tu banco quiere que confirmes tú el pago de {{amount}}:

{{items}}

Paga en la página de tu pedido para que tu suscripción continúe:

{{order_url}}`,
    },
    renewal_failed: {
      subject: 'Paga la renovación de tu suscripción',
      body_text: `${GREETING}

Tu suscripción ha vencido y el pago de {{amount}} sigue pendiente:

{{items}}

Págalo para que tu suscripción continúe. Tu pedido:

{{order_url}}`,
    },
    stock_alert: {
      subject: '{{items}} vuelve a estar disponible',
      body_text: `Buenas noticias: {{items}} vuelve a estar disponible en {{store_name}}.

{{link}}

Recibes este único correo porque lo pediste.`,
    },
    team_invitation: {
      subject: 'Invitación a {{store_name}}',
      body_text: `Hola:

Te han invitado al panel de {{store_name}} como {{reason}}.

{{link}}

La invitación es válida durante 7 días.`,
    },
    password_reset: {
      subject: 'Elige una contraseña nueva',
      body_text: `Hola:

Alguien, seguramente tú, ha pedido una contraseña nueva para el panel de {{store_name}}. Elígela en el plazo de una hora:

{{link}}

Si no has sido tú, no tienes que hacer nada: tu contraseña no cambia.`,
    },
    email_change: {
      subject: 'Confirma tu nueva dirección de correo',
      body_text: `Hola:

Has pedido entrar en el panel con esta dirección. Confírmala en el plazo de una hora:

{{link}}

Si no has sido tú, no tienes que hacer nada: ninguna dirección cambia.`,
    },
    email_changed: {
      subject: 'Tu dirección de correo ha cambiado',
      body_text: `Hola:

Ahora entras en el panel con {{reason}}, y ya no con esta dirección.

Si no has sido tú, avisa enseguida a un titular de tu tienda o al operador del servidor.`,
    },
  },
  labels: { order_url: 'Ver tu pedido', tracking_url: 'Seguir el paquete' },
  linkLabels: {
    stock_alert: 'Ver el producto',
    team_invitation: 'Aceptar la invitación',
    password_reset: 'Elegir contraseña',
    email_change: 'Confirmar la dirección',
  },
  linkLabel: 'Abrir la página',
  refundReasons: {
    requested_by_customer: 'Motivo: lo has pedido tú.',
    duplicate: 'Motivo: el pedido se pagó dos veces.',
    fraudulent: '',
    other: '',
  },
  otherAmount: 'Motivo: el pago no era el importe del pedido.',
  roles: { owner: 'titular', admin: 'administrador', staff: 'empleado', viewer: 'lector' },
  fileOnOrderPage: (name) => `${name}: descárgalo en la página de tu pedido`,
  moreKeys: (count) => `y ${count} más, en la página de tu pedido`,
  trackingNumber: (number) => `Número de seguimiento: ${number}`,
  renewsOn: (day) => `se renueva el ${day}`,
  stopStockMail: 'Si no quieres más correos nuestros sobre disponibilidad:',
  sample: { customer_name: 'Ada Lovelace', item: 'Editor de fotos', note: 'Un año' },
}
