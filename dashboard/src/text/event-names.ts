import type { SubscribedEvent } from '../../../sdk/client/index.ts'
import { catalogue } from './catalogue.ts'

/** The names of events. The compiler requires one for each type of event. */
export const eventNames = catalogue<Exclude<SubscribedEvent, '*'>>({
  'order.created': ['Order created', 'Bestellung angelegt', 'Pedido creado'],
  'order.completed': ['Order completed', 'Bestellung abgeschlossen', 'Pedido completado'],
  'order.partially_paid': [
    'Order partially paid',
    'Bestellung teilweise bezahlt',
    'Pedido pagado en parte',
  ],
  'order.manual_review': [
    'Order waiting for review',
    'Bestellung wartet auf Prüfung',
    'Pedido a la espera de revisión',
  ],
  'order.expired': ['Order expired', 'Bestellung abgelaufen', 'Pedido caducado'],
  'order.cancelled': ['Order cancelled', 'Bestellung storniert', 'Pedido cancelado'],
  'order.refunded': ['Order refunded', 'Bestellung erstattet', 'Pedido reembolsado'],
  'product.out_of_stock': ['Product out of stock', 'Produkt ausverkauft', 'Producto agotado'],
  'product.restocked': ['Product restocked', 'Produkt aufgefüllt', 'Producto repuesto'],
  'product.deleted': ['Product deleted', 'Produkt gelöscht', 'Producto eliminado'],
  'review.created': ['Review written', 'Bewertung abgegeben', 'Reseña escrita'],
  'question.created': ['Question asked', 'Frage gestellt', 'Pregunta hecha'],
  'question.answered': ['Question answered', 'Frage beantwortet', 'Pregunta respondida'],
  'customer.created': ['Customer added', 'Kunde angelegt', 'Cliente añadido'],
  'withdrawal.completed': ['Withdrawal sent', 'Auszahlung gesendet', 'Retiro enviado'],
  'affiliate.partner_applied': [
    'Partner applied',
    'Partner hat sich beworben',
    'Solicitud de un socio',
  ],
  'affiliate.conversion': ['Conversion recorded', 'Vermittlung erfasst', 'Conversión registrada'],
  'affiliate.payout_requested': ['Payout requested', 'Auszahlung angefordert', 'Pago solicitado'],
  'affiliate.payout_sent': ['Payout sent', 'Auszahlung gesendet', 'Pago enviado'],
})
