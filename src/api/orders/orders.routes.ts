import type { Deps } from "../../deps.js";
import { type RouteGroup, route } from "../../http/route.js";
import { ordersController } from "./orders.controller.js";
import { OrdersQuery, OrdersReply } from "./orders.schemas.js";

/** What a learner has bought. */
export function ordersGroups(deps: Deps): RouteGroup[] {
  const orders = ordersController(deps);
  return [
    {
      name: "orders",
      base: "/api/user",
      access: "user",
      routes: [
        route({
          method: "get",
          path: "/purchases",
          summary: "The caller's purchases in every state, newest first",
          access: "user",
          query: OrdersQuery,
          reply: OrdersReply,
          errors: [],
          handle: orders.list,
        }),
      ],
    },
  ];
}
