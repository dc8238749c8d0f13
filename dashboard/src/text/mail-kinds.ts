import { catalogue } from './catalogue.ts'

/** The kinds of mail, as the outbox names them. */
export const mailKinds = catalogue({
  order_received: ['Order received', 'Bestellung erhalten', 'Pedido recibido'],
  order_paid: ['Order paid', 'Bestellung bezahlt', 'Pedido pagado'],
  order_delivery: ['Delivery', 'Lieferung', 'Entrega'],
  order_shipped: ['Parcel on its way', 'Paket unterwegs', 'Paquete en camino'],
  order_refunded: ['Refund', 'Erstattung', 'Reembolso'],
  payment_partial: ['Part payment', 'Teilzahlung', 'Pago parcial'],
  payment_review: ['Payment in review', 'Zahlung in Prüfung', 'Pago en revisión'],
  renewal_notice: ['Renewal soon', 'Verlängerung steht an', 'Renovación próxima'],
  renewal_action: ['Renewal to confirm', 'Verlängerung bestätigen', 'Renovación por confirmar'],
  renewal_failed: ['Renewal unpaid', 'Verlängerung unbezahlt', 'Renovación sin pagar'],
  password_reset: ['New password', 'Neues Passwort', 'Contraseña nueva'],
  stock_alert: ['Back in stock', 'Wieder verfügbar', 'Disponible de nuevo'],
  email_change: ['New email address', 'Neue E-Mail-Adresse', 'Correo nuevo'],
  email_changed: ['Changed email address', 'Geänderte E-Mail-Adresse', 'Correo cambiado'],
  team_invitation: ['Invitation', 'Einladung', 'Invitación'],
})
