import { catalogue } from './catalogue.ts'

/** Texts of the actions on several products or coupons. */
export const bulkCatalogue = catalogue({
  publish: [
    'Publish {n} {n:product|products}',
    '{n} {n:Produkt|Produkte} veröffentlichen',
    'Publicar {n} {n:producto|productos}',
  ],
  publishLead: [
    'Customers can buy {n} {n:product|products} from now on. Those without stock are shown as sold out.',
    'Kunden können {n} {n:Produkt|Produkte} ab jetzt kaufen. Ohne Bestand gelten sie als ausverkauft.',
    'Los clientes podrán comprar {n} {n:producto|productos}. Los que no tienen existencias aparecen como agotados.',
  ],
  archive: [
    'Archive {n} {n:product|products}',
    '{n} {n:Produkt|Produkte} archivieren',
    'Archivar {n} {n:producto|productos}',
  ],
  archiveLead: [
    '{n} {n:product|products} can no longer be bought. Orders stay as they are.',
    '{n} {n:Produkt kann|Produkte können} nicht mehr gekauft werden. Bestellungen bleiben.',
    '{n} {n:producto ya no se podrá|productos ya no se podrán} comprar. Los pedidos quedan igual.',
  ],
  stop: [
    'Stop {n} {n:coupon|coupons}',
    '{n} {n:Gutschein|Gutscheine} stoppen',
    'Detener {n} {n:cupón|cupones}',
  ],
  stopLead: [
    'Customers can no longer use {n} {n:coupon|coupons}. Orders keep their discounts.',
    'Kunden können {n} {n:Gutschein|Gutscheine} nicht mehr nutzen. Bestellungen behalten ihre Rabatte.',
    'Los clientes ya no podrán usar {n} {n:cupón|cupones}. Los pedidos conservan sus descuentos.',
  ],
  start: [
    'Start {n} {n:coupon|coupons} again',
    '{n} {n:Gutschein|Gutscheine} wieder starten',
    'Reanudar {n} {n:cupón|cupones}',
  ],
  startLead: [
    'Customers can use {n} {n:coupon|coupons} again, within {n:its|their} rules.',
    'Kunden können {n} {n:Gutschein|Gutscheine} im Rahmen der Regeln wieder nutzen.',
    'Los clientes podrán usar otra vez {n} {n:cupón|cupones}, según sus reglas.',
  ],
})
