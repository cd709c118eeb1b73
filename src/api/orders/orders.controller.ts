import type { z } from "zod";
import type { Deps } from "../../deps.js";
import { replyWithList } from "../../http/pages.js";
import type { RouteRequest } from "../../http/route.js";
import { orderHistory } from "../../services/payments/order-history.js";
import { type OrdersQuery, OrdersReply } from "./orders.schemas.js";

const rowsAtATime = 100;

export function ordersController({ db }: Deps) {
  return {
    list: (request: RouteRequest<undefined, z.output<typeof OrdersQuery>, undefined, "user">) =>
      replyWithList(request, {
        ...{ reply: OrdersReply, field: "purchases", batch: rowsAtATime },
        list: orderHistory(db, request.viewer.id),
        wrap: (purchases, { nextCursor = null }) => ({ purchases, nextCursor }),
      }),
  };
}
