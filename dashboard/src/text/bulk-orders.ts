import { catalogue } from './catalogue.ts'

/** Texts of the actions on several orders. */
export const bulkOrders = catalogue({
  cancel: [
    'Cancel {n} {n:order|orders}',
    '{n} {n:Bestellung|Bestellungen} stornieren',
    'Cancelar {n} {n:pedido|pedidos}',
  ],
  cancelLead: [
    'Unpaid orders: {n}, worth {amount}. Their customers can no longer pay them. Up to {units} units go back into stock.',
    'Unbezahlte Bestellungen: {n} über {amount}. Die Kunden können sie nicht mehr bezahlen. Bis zu {units} Stück werden wieder frei.',
    'Pedidos sin pagar: {n}, por {amount}. Los clientes ya no podrán pagarlos. Hasta {units} unidades vuelven al stock.',
  ],
  deliver: [
    'Deliver {n} {n:order|orders}',
    '{n} {n:Bestellung|Bestellungen} liefern',
    'Entregar {n} {n:pedido|pedidos}',
  ],
  deliverLead: [
    'Delivers from stock what is still missing in {n} paid {n:order|orders}. Goods that are shipped stay as they are.',
    'Liefert aus dem Lager, was in {n} {n:bezahlten Bestellung|bezahlten Bestellungen} noch fehlt. Waren zum Versand bleiben unverändert.',
    'Entrega del stock lo que falta en {n} {n:pedido pagado|pedidos pagados}. Los artículos que se envían no cambian.',
  ],
  nothingToDeliver: [
    'Nothing of it waits to be delivered.',
    'Davon ist nichts mehr zu liefern.',
    'No queda nada por entregar.',
  ],
})
