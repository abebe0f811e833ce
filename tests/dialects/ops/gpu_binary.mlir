gpu.binary @b [#gpu.object<#nvvm.target, "abc">]
// -----
gpu.binary @b <#gpu.select_object<1>> [#gpu.object<#nvvm.target, "abc">, #gpu.object<#nvvm.target<chip = "sm_90">, bin = "x\00\01y">]
// -----
gpu.binary @b <#gpu.select_object<#nvvm.target>> {note} [#gpu.object<#nvvm.target, properties = {O = 3 : i32}, kernels = <[#gpu.kernel_metadata<"k", (i32) -> ()>]>, assembly = "abc">]
// -----
gpu.binary @b []
// -----
gpu.binary @b [3]
// -----
gpu.binary @b <#gpu.select_object> [#gpu.object<#nvvm.target, "abc">]
// -----
gpu.binary @b <3> [#gpu.object<#nvvm.target, "abc">]
// -----
gpu.module @m <#gpu.select_object<0>> [#nvvm.target] {
}
// -----
gpu.module @m <#gpu.select_object<0 : i64>> [#nvvm.target, #nvvm.target<O = 3>] attributes {a.b} {
}
// -----
gpu.binary @b <#gpu.select_object<-1>> [#gpu.object<#nvvm.target, "abc">]
// -----
gpu.binary @b <#gpu.select_object<"x">> [#gpu.object<#nvvm.target, "abc">]
