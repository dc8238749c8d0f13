import { catalogue } from './catalogue.ts'

/** The kinds of mail, as the outbox names them. */
export const mailKinds = catalogue({
  order_delivery: ['Delivery', 'Lieferung', 'Entrega'],
  order_shipped: ['Parcel on its way', 'Paket unterwegs', 'Paquete en camino'],
  password_reset: ['New password', 'Neues Passwort', 'Contraseña nueva'],
  stock_alert: ['Back in stock', 'Wieder verfügbar', 'Disponible de nuevo'],
  email_change: ['New email address', 'Neue E-Mail-Adresse', 'Correo nuevo'],
  team_invitation: ['Invitation', 'Einladung', 'Invitación'],
})
