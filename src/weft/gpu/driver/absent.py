"""Functions of both APIs that are there to be linked to and asked for, and say that they are not there."""

from __future__ import annotations

import re

from weft.gpu.driver.runtime_table import RUNTIME
from weft.gpu.driver.state import Driver
from weft.gpu.driver.status import NOT_SUPPORTED, Refused
from weft.gpu.driver.table import CALLS, Call

_DRIVER = """
cuArrayGetMemoryRequirements cuArrayGetPlane cuArrayGetSparseProperties cuCheckpointOperationComplete
cuCheckpointProcessCheckpoint cuCheckpointProcessGetRestoreThreadId cuCheckpointProcessGetState
cuCheckpointProcessLock cuCheckpointProcessRestore cuCheckpointProcessUnlock cuCoredumpDeregisterCompleteCallback
cuCoredumpDeregisterStartCallback cuCoredumpGetAttribute cuCoredumpGetAttributeGlobal
cuCoredumpRegisterCompleteCallback cuCoredumpRegisterStartCallback cuCoredumpSetAttribute cuCoredumpSetAttributeGlobal
cuCtxAttach cuCtxDetach cuCtxFromGreenCtx cuCtxGetDevResource cuCtxGetExecAffinity cuDestroyExternalMemory
cuDestroyExternalSemaphore cuDevResourceGenerateDesc cuDevSmResourceSplit cuDevSmResourceSplitByCount
cuDeviceGetCliqueCount cuDeviceGetCliqueInfo cuDeviceGetDevResource cuDeviceGetExecAffinitySupport
cuDeviceGetFabricClusterUuid cuDeviceGetHostAtomicCapabilities cuDeviceGetNvSciSyncAttributes
cuDeviceGetP2PAtomicCapabilities cuDeviceRegisterAsyncNotification cuDeviceUnregisterAsyncNotification
cuExternalMemoryGetMappedBuffer cuExternalMemoryGetMappedMipmappedArray cuFabricCpyBatchAsync
cuFlushGPUDirectRDMAWrites cuFuncSetBlockShape cuFuncSetSharedSize cuGraphAddBatchMemOpNode
cuGraphAddExternalSemaphoresSignalNode cuGraphAddExternalSemaphoresWaitNode cuGraphBatchMemOpNodeGetParams
cuGraphBatchMemOpNodeSetParams cuGraphExecBatchMemOpNodeSetParams cuGraphExecChildGraphNodeSetParams
cuGraphExecExternalSemaphoresSignalNodeSetParams cuGraphExecExternalSemaphoresWaitNodeSetParams
cuGraphExternalSemaphoresSignalNodeGetParams cuGraphExternalSemaphoresSignalNodeSetParams
cuGraphExternalSemaphoresWaitNodeGetParams cuGraphExternalSemaphoresWaitNodeSetParams cuGraphNodeGetParams
cuGraphNodeGetToolsId cuGraphicsResourceGetMappedMipmappedArray cuGraphicsResourceGetMappedPointer
cuGraphicsResourceSetMapFlags cuGraphicsSubResourceGetMappedArray cuGreenCtxCreate cuGreenCtxDestroy
cuGreenCtxGetDevResource cuGreenCtxGetId cuGreenCtxRecordEvent cuGreenCtxStreamCreate cuGreenCtxWaitEvent cuLaunch
cuLaunchCooperativeKernelMultiDevice cuLaunchGrid cuLaunchGridAsync cuLibraryGetUnifiedFunction
cuLogicalEndpointAddDevice cuLogicalEndpointBindAddr cuLogicalEndpointBindMem cuLogicalEndpointCreate
cuLogicalEndpointDestroy cuLogicalEndpointExport cuLogicalEndpointGetLimits cuLogicalEndpointIdRelease
cuLogicalEndpointIdReserve cuLogicalEndpointImport cuLogicalEndpointQuery cuLogicalEndpointUnbind cuLogsCurrent
cuLogsDumpToFile cuLogsDumpToMemory cuLogsRegisterCallback cuLogsUnregisterCallback cuMemBatchDecompressAsync
cuMemGetHandleForAddressRange cuMemGetLocationInfo cuMemMapArrayAsync cuMipmappedArrayGetMemoryRequirements
cuMipmappedArrayGetSparseProperties cuModuleGetSurfRef cuModuleGetTexRef cuMulticastAddDevice cuMulticastBindAddr
cuMulticastBindAddr_v2 cuMulticastBindMem cuMulticastBindMem_v2 cuMulticastCreate cuMulticastGetGranularity
cuMulticastUnbind cuParamSetSize cuParamSetTexRef cuParamSetf cuParamSeti cuParamSetv cuSignalExternalSemaphoresAsync
cuStreamBeginCaptureToCig cuStreamBeginRecaptureToGraph cuStreamEndCaptureToCig cuStreamGetDevResource
cuStreamGetGreenCtx cuSurfRefGetArray cuArray3DCreate cuArray3DGetDescriptor cuArrayCreate cuArrayGetDescriptor
cuDeviceTotalMem cuGraphicsResourceGetMappedPointer_v2 cuMemAlloc cuMemAllocHost cuMemAllocPitch cuMemFree
cuMemGetAddressRange cuMemGetInfo cuMemHostGetDevicePointer cuMemcpy2D cuMemcpy2DAsync cuMemcpy2DUnaligned cuMemcpy3D
cuMemcpy3DAsync cuMemcpyAtoA cuMemcpyAtoD cuMemcpyAtoH cuMemcpyAtoHAsync cuMemcpyDtoA cuMemcpyDtoD cuMemcpyDtoDAsync
cuMemcpyDtoH cuMemcpyDtoHAsync cuMemcpyHtoA cuMemcpyHtoAAsync cuMemcpyHtoD cuMemcpyHtoDAsync cuMemsetD16 cuMemsetD2D16
cuMemsetD2D32 cuMemsetD2D8 cuMemsetD32 cuMemsetD8 cuModuleGetGlobal cuTexRefGetAddress_v2 cuTexRefSetAddress_v2
cuTexRefSetAddress2D_v3 cuSurfRefSetArray cuTensorMapSetAllocationClass cuTexObjectGetResourceViewDesc cuTexRefCreate
cuTexRefDestroy cuTexRefGetAddress cuTexRefGetAddressMode cuTexRefGetArray cuTexRefGetBorderColor
cuTexRefGetFilterMode cuTexRefGetFlags cuTexRefGetFormat cuTexRefGetMaxAnisotropy cuTexRefGetMipmapFilterMode
cuTexRefGetMipmapLevelBias cuTexRefGetMipmapLevelClamp cuTexRefGetMipmappedArray cuTexRefSetAddress
cuTexRefSetAddress2D cuTexRefSetAddress2D_v2 cuTexRefSetAddressMode cuTexRefSetArray cuTexRefSetBorderColor
cuTexRefSetFilterMode cuTexRefSetFlags cuTexRefSetFormat cuTexRefSetMaxAnisotropy cuTexRefSetMipmapFilterMode
cuTexRefSetMipmapLevelBias cuTexRefSetMipmapLevelClamp cuTexRefSetMipmappedArray cuWaitExternalSemaphoresAsync
"""
_RUNTIME = """
cudaArrayGetMemoryRequirements cudaArrayGetPlane cudaArrayGetSparseProperties cudaDestroyExternalMemory
cudaDestroyExternalSemaphore cudaDevResourceGenerateDesc cudaDevSmResourceSplit cudaDevSmResourceSplitByCount
cudaDeviceFlushGPUDirectRDMAWrites cudaDeviceGetDevResource cudaDeviceGetExecutionCtx
cudaDeviceGetHostAtomicCapabilities cudaDeviceGetNvSciSyncAttributes cudaDeviceGetP2PAtomicCapabilities
cudaDeviceRegisterAsyncNotification cudaDeviceUnregisterAsyncNotification cudaExecutionCtxDestroy
cudaExecutionCtxGetDevResource cudaExecutionCtxGetDevice cudaExecutionCtxGetId cudaExecutionCtxRecordEvent
cudaExecutionCtxStreamCreate cudaExecutionCtxSynchronize cudaExecutionCtxWaitEvent cudaExternalMemoryGetMappedBuffer
cudaExternalMemoryGetMappedMipmappedArray cudaGLGetDevices cudaGetExportTable cudaGetTextureObjectResourceViewDesc
cudaGraphAddExternalSemaphoresSignalNode cudaGraphAddExternalSemaphoresWaitNode cudaGraphExecChildGraphNodeSetParams
cudaGraphExecExternalSemaphoresSignalNodeSetParams cudaGraphExecExternalSemaphoresWaitNodeSetParams
cudaGraphExecMemcpyNodeSetParamsFromSymbol cudaGraphExecMemcpyNodeSetParamsToSymbol
cudaGraphExternalSemaphoresSignalNodeGetParams cudaGraphExternalSemaphoresSignalNodeSetParams
cudaGraphExternalSemaphoresWaitNodeGetParams cudaGraphExternalSemaphoresWaitNodeSetParams
cudaGraphMemcpyNodeSetParamsFromSymbol cudaGraphMemcpyNodeSetParamsToSymbol cudaGraphNodeGetParams
cudaGraphNodeGetToolsId cudaGraphicsGLRegisterBuffer cudaGraphicsGLRegisterImage
cudaGraphicsResourceGetMappedMipmappedArray cudaGraphicsResourceGetMappedPointer cudaGraphicsResourceSetMapFlags
cudaGraphicsSubResourceGetMappedArray cudaGreenCtxCreate cudaKernelSetAttributeForDevice cudaLaunchHostFunc_v2
cudaLibraryGetUnifiedFunction cudaLogsCurrent cudaLogsDumpToFile cudaLogsDumpToMemory cudaLogsRegisterCallback
cudaLogsUnregisterCallback cudaMemGetLocationInfo cudaMipmappedArrayGetMemoryRequirements
cudaMipmappedArrayGetSparseProperties cudaSignalExternalSemaphoresAsync cudaStreamBeginRecaptureToGraph
cudaStreamGetDevResource cudaWaitExternalSemaphoresAsync
"""
_HINTS = (
    (r"External|NvSci|Graphics|cudaGL|Cig", "graphics and memory of other APIs are not supported"),
    (
        r"Multicast|Fabric|Logical|Clique|P2P|HostAtomic|RDMA|MultiDevice",
        "devices are not connected by links",
    ),
    (r"GreenCtx|DevResource|DevSm|ExecutionCtx|ExecAffinity", "multiprocessors cannot be partitioned; use the context"),
    (
        r"TexRef|SurfRef|cuParamSet|cuLaunchGrid|cuLaunch$|SetBlockShape|SetSharedSize|Ctx(At|De)tach",
        "use its replacement",
    ),
    (r"Sparse|MemoryRequirements|MapArray|GetPlane", "arrays do not have mappable memory"),
    (r"Logs|Coredump|Checkpoint|AsyncNotification|ToolsId", "faults are printed to stderr when they happen"),
    (
        r"cu(Mem|Array|DeviceTotal|ModuleGetGlobal)\w*(?<!_v\d)$",
        "it uses 32-bit sizes and addresses; use the _v2 function",
    ),
    (r"GraphNodeGetParams", "use the function for the kind of node"),
)
"""What to know about functions, by what their names hold."""


def hint_of(name: str) -> str:
    """What to know about a function that is not there; nothing for many."""
    return next((hint for pattern, hint in _HINTS if re.search(pattern, name)), "")


def _absent(name: str) -> Call:
    error = "cudaErrorNotSupported" if name.startswith("cuda") else "CUDA_ERROR_NOT_SUPPORTED"
    hint = hint_of(name)

    def refuse(driver: Driver) -> int:
        driver.note(f"{name} is not supported and returns {error}{hint and f': {hint}'}")
        raise Refused(NOT_SUPPORTED)

    return Call(name, "", refuse)


TABLES = ((_DRIVER, CALLS), (_RUNTIME, RUNTIME))
"""The functions that are not there, and where they are registered."""
for _names, _table in TABLES:
    for _name in _names.split():
        _table.setdefault(_name, _absent(_name))
