import { catalogue } from './catalogue.ts'

export const savedCards = catalogue({
  title: ['Saved cards', 'Gespeicherte Karten', 'Tarjetas guardadas'],
  card: ['Card', 'Karte', 'Tarjeta'],
  ending: [
    '{label} ending in {last4}',
    '{label} mit Endziffern {last4}',
    '{label} terminada en {last4}',
  ],
  expires: ['Expires', 'Gültig bis', 'Caduca'],
  expired: ['Expired', 'Abgelaufen', 'Caducada'],
  renewals: ['Renewals', 'Verlängerungen', 'Renovaciones'],
  used: ['Default', 'Standard', 'Predeterminada'],
  savedAt: ['Saved', 'Gespeichert', 'Guardada'],
  empty: [
    'No card is saved. A card is saved when its owner pays the first order of a subscription, or on the page of an order that began one free.',
    'Keine Karte gespeichert. Eine Karte wird gespeichert, wenn ihr Inhaber die erste Bestellung eines Abos bezahlt, oder auf der Seite einer Bestellung, mit der ein Abo kostenlos begann.',
    'No hay ninguna tarjeta guardada. Se guarda cuando su titular paga el primer pedido de una suscripción, o en la página de un pedido que la inició gratis.',
  ],
  remove: ['Remove', 'Entfernen', 'Quitar'],
  removeTitle: ['Remove {card}', '{card} entfernen', 'Quitar {card}'],
  removeCard: ['Remove card', 'Karte entfernen', 'Quitar tarjeta'],
  removeLead: [
    'The card is deleted here and at {provider}. Only its owner can enter it again.',
    'Die Karte wird hier und bei {provider} gelöscht. Nur ihr Inhaber kann sie wieder eingeben.',
    'La tarjeta se elimina aquí y en {provider}. Solo su titular puede volver a introducirla.',
  ],
  notUsed: [
    'No renewal is paid by this card.',
    'Mit dieser Karte wird keine Verlängerung bezahlt.',
    'Ninguna renovación se paga con esta tarjeta.',
  ],
  none: [
    'No subscription of this customer is paid by card.',
    'Kein Abo dieses Kunden wird mit Karte bezahlt.',
    'Ninguna suscripción de este cliente se paga con tarjeta.',
  ],
  next: [
    'These subscriptions are then paid by {card}:',
    'Diese Abos werden dann mit {card} bezahlt:',
    'Estas suscripciones se pagarán entonces con {card}:',
  ],
  wait: [
    'These subscriptions then wait at each renewal until their buyer pays:',
    'Diese Abos warten dann bei jeder Verlängerung, bis ihr Käufer bezahlt:',
    'Estas suscripciones esperarán en cada renovación a que el comprador pague:',
  ],
  priced: [
    '{product}, {amount} {cycle}',
    '{product}, {amount} {cycle}',
    '{product}, {amount} {cycle}',
  ],
  more: ['and {n} more', 'und {n} weitere', 'y {n} más'],
  how: ['Charged to', 'Abgebucht von', 'Se cobra de'],
  noRenewal: [
    'Nothing: it is not renewed.',
    'Nichts: Es wird nicht verlängert.',
    'Nada: no se renueva.',
  ],
  held: [
    'Nothing while an order of the subscription is on hold.',
    'Nichts, solange eine Bestellung des Abos angehalten ist.',
    'Nada mientras un pedido de la suscripción esté retenido.',
  ],
  customerBlocked: [
    'Nothing while the customer is blocked: no renewal is charged.',
    'Nichts, solange der Kunde gesperrt ist: Keine Verlängerung wird abgebucht.',
    'Nada mientras el cliente esté bloqueado: no se cobra ninguna renovación.',
  ],
  noCard: [
    'No card is saved, so each renewal waits until its buyer pays.',
    'Keine Karte gespeichert: Jede Verlängerung wartet, bis der Käufer bezahlt.',
    'No hay tarjeta guardada: cada renovación espera a que el comprador pague.',
  ],
  fromBalance: [
    'From the balance of the customer.',
    'Aus dem Guthaben des Kunden.',
    'Del saldo del cliente.',
  ],
  notConnected: [
    'The payment provider is not connected, so each renewal waits until its buyer pays.',
    'Der Zahlungsanbieter ist nicht verbunden: Jede Verlängerung wartet, bis der Käufer bezahlt.',
    'El proveedor de pagos no está conectado: cada renovación espera a que el comprador pague.',
  ],
  buyerPays: [
    'Each renewal waits until you record its payment.',
    'Jede Verlängerung wartet, bis Sie ihre Zahlung erfassen.',
    'Cada renovación espera a que usted registre su pago.',
  ],
})
